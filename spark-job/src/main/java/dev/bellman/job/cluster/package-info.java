/** Finds connected components of close strings on all executors. Does not depend on job files. */
package dev.bellman.job.cluster;
