/**
 * Runs jobs whose whole input is one instance: a graph, a matrix, a chain, a tree, a pair, or the sequences to which
 * one model is fitted. Each kind of job implements {@link dev.bellman.job.spec.JobKind}, through which the code for
 * jobs finds it.
 */
package dev.bellman.large;
