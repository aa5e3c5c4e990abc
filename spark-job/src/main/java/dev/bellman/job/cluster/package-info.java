/** Connected components of close strings, over all executors. Knows no job files. */
package dev.bellman.job.cluster;
