/** How far a run is: what Spark's running tasks report, as a line on the terminal. Knows Spark, but not jobs. */
package dev.bellman.job.progress;
