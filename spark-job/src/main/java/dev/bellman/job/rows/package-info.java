/**
 * Builds the query of a job in which every row is an instance: forms pairs, calls functions, and selects rows. The
 * query returns the rows to write.
 */
package dev.bellman.job.rows;
