/**
 * Computes a table that may exceed the memory of a single machine. The executors of a Spark application hold the tiles
 * of the table, and process them in rounds. Executors exchange the panels of a round through files (see
 * {@link dev.bellman.large.grid.TileRun}).
 */
package dev.bellman.large.grid;
