/**
 * Jobs whose whole input is one instance: one graph, matrix, chain, tree or pair. {@link dev.bellman.large.LargeJobs}
 * plugs them into the job.
 */
package dev.bellman.large;
