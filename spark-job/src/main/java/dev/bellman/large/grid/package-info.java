/**
 * One table larger than a memory: its tiles on the executors of a Spark application, processed in rounds. The panels
 * that a round needs from other executors are exchanged through files; see {@link dev.bellman.large.grid.TileRun}.
 */
package dev.bellman.large.grid;
