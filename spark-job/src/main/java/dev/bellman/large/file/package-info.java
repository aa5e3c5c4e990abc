/**
 * Reads files that contain one graph or one matrix, in the DIMACS format or in a MatrixMarket format. A matrix is read
 * as strips of its rows.
 */
package dev.bellman.large.file;
