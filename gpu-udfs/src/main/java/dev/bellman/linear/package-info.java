/**
 * Gaussian elimination without pivoting. {@code Elimination} is the problem, {@code EliminationTable} the matrix it
 * works on, and {@code EliminationUdf} the code that its functions share.
 */
package dev.bellman.linear;
