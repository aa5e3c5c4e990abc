/**
 * Shows the progress of a run on the terminal, based on what Spark's running tasks report. Depends on Spark, but not on
 * the classes for jobs.
 */
package dev.bellman.job.progress;
