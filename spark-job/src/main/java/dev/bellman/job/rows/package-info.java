/**
 * The query of a job in which every row is an instance: pairs, function calls, the chosen rows. It ends with the rows
 * to write.
 */
package dev.bellman.job.rows;
