/** Files that hold one graph or one matrix: DIMACS, Matrix Market. Numbers are read in strips of rows. */
package dev.bellman.large.file;
