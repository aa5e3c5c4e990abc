/**
 * Jobs whose whole input is one instance: one graph, matrix, chain, tree or pair. Each is a
 * {@link dev.bellman.job.spec.JobKind}, through which the job finds it.
 */
package dev.bellman.large;
