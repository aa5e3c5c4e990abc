/**
 * Reads job files: keys, rules for combinations of keys, and the resulting {@link dev.bellman.job.spec.Job}. Rejects a
 * job file that breaks a rule before any input is read.
 */
package dev.bellman.job.spec;
