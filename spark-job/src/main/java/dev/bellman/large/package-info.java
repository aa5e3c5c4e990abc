/**
 * Runs jobs whose whole input is one instance: a graph, matrix, chain, tree or pair. Each kind implements
 * {@link dev.bellman.job.spec.JobKind}, through which jobs find it.
 */
package dev.bellman.large;
