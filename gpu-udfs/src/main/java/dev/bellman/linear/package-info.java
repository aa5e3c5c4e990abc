/**
 * Performs Gaussian elimination, by default without pivoting. {@code Elimination} defines the problem, and {@code
 * EliminationTable} represents the matrix in memory. {@code LeastSquares} solves systems with at least as many rows as
 * columns.
 */
package dev.bellman.linear;
