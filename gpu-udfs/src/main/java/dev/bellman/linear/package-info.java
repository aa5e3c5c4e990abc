/**
 * Performs Gaussian elimination, by default without pivoting. {@code Elimination} is the problem, and
 * {@code EliminationTable} is the matrix in memory.
 */
package dev.bellman.linear;
