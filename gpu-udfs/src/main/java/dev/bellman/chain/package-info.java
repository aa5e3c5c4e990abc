/**
 * Parenthesizations: in which order to multiply a chain of matrices.
 *
 * <p>A chain of {@code n} matrices is given by its {@code n + 1} dimensions: matrix {@code i}, from 1, has {@code dims[i - 1]} rows
 * and {@code dims[i]} columns.
 */
package dev.bellman.chain;
