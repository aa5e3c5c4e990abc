/**
 * The progress of a run: reports from Spark's running tasks, shown as a line on the terminal. Depends on Spark, but not
 * on jobs.
 */
package dev.bellman.job.progress;
