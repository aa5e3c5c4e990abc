/** Connected components of close strings, computed on all executors. Independent of job files. */
package dev.bellman.job.cluster;
