/**
 * The job file: its keys, the rules between keys, and the {@link dev.bellman.job.spec.Job} that follows from them. A
 * job file that breaks a rule ends here, before any input is read.
 */
package dev.bellman.job.spec;
