/**
 * Reads job files: checks the keys and the rules for combinations of keys, and creates the
 * {@link dev.bellman.job.spec.Job}. A job file that breaks a rule is rejected before any input is read.
 */
package dev.bellman.job.spec;
