/**
 * Jobs whose whole input is one instance: a graph, matrix, chain, tree or pair. Each kind is a
 * {@link dev.bellman.job.spec.JobKind}, through which the job finds it.
 */
package dev.bellman.large;
