/**
 * Gaussian elimination without pivoting. {@code Elimination} is the problem, and {@code EliminationTable} the matrix it
 * works on.
 */
package dev.bellman.linear;
