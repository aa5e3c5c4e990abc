/**
 * The job file: its keys, the rules between keys, and the resulting {@link dev.bellman.job.spec.Job}. A job file that
 * breaks a rule is rejected here, before any input is read.
 */
package dev.bellman.job.spec;
