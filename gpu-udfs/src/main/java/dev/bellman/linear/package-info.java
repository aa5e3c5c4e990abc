/**
 * Gaussian elimination without pivoting. {@code Elimination} is the problem, {@code EliminationTable} the matrix that it works on, {@code
 * EliminationUdf} what its functions share.
 */
package dev.bellman.linear;
