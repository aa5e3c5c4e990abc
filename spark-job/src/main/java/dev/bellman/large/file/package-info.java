/**
 * Reads files that contain one graph or one matrix, in the DIMACS format or in a MatrixMarket format. Numbers are read
 * as strips of rows.
 */
package dev.bellman.large.file;
