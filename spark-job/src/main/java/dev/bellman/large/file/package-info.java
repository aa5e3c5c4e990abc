/**
 * Reads files that contain one graph or one matrix in the DIMACS or MatrixMarket format. Numbers are read in strips of
 * rows.
 */
package dev.bellman.large.file;
