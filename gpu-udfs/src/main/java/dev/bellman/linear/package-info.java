/**
 * Performs Gaussian elimination, by default without pivoting. {@code Elimination} defines the problem, and
 * {@code EliminationTable} represents the matrix in memory.
 */
package dev.bellman.linear;
