/** How far a run is: what Spark's tasks tell while they run, as a line on the terminal. Knows Spark, and no jobs. */
package dev.bellman.job.progress;
