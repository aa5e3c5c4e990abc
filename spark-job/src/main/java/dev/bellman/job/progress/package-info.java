/**
 * The progress of a run: reports of Spark's running tasks as a line on the terminal. Depends on Spark, but not on jobs.
 */
package dev.bellman.job.progress;
