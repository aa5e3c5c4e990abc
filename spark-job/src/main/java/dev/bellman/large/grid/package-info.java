/**
 * Computes a table that may exceed the memory of one machine. The executors of a Spark application hold the table's
 * tiles and process them in rounds. Executors exchange the panels of a round through files; see
 * {@link dev.bellman.large.grid.TileRun}.
 */
package dev.bellman.large.grid;
