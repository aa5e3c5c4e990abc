/** Connected components of close strings, over all executors. Independent of job files. */
package dev.bellman.job.cluster;
