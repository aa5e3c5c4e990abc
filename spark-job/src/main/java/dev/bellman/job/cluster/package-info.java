/**
 * Finds clusters of close strings on all executors or, for small inputs, on the driver. Does not depend on job files.
 */
package dev.bellman.job.cluster;
