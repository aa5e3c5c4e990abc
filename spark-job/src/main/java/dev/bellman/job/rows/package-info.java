/**
 * Builds the query of a job in which every row is an instance: pairs, function calls, and the selected rows. The query
 * returns the rows to write.
 */
package dev.bellman.job.rows;
