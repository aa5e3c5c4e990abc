/**
 * One table that is larger than one memory. Its tiles are on the executors of a Spark application and are processed in
 * rounds. The panels that a round needs from other executors are exchanged through files; see
 * {@link dev.bellman.large.grid.TileRun}.
 */
package dev.bellman.large.grid;
