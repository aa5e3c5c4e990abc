/** Finds connected components of close strings on all executors. Independent of job files. */
package dev.bellman.job.cluster;
