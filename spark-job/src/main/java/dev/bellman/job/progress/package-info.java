/**
 * Shows the progress of a run on the terminal, based on reports from Spark's running tasks. Depends on Spark, but not
 * on jobs.
 */
package dev.bellman.job.progress;
