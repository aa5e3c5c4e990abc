package dev.bellman.graph.dense;

import dev.bellman.large.tiles.TileGpu;
import java.util.function.IntFunction;

/** The part of the GPU side that computes {@link DistanceTiles}. */
public interface DistancesGpu {
    /**
     * Opens the GPU of a task.
     *
     * @param bits as in {@link LongDistances}; 0 for lengths
     * @param negativeCycle the exception for the vertex that {@link Distances#solve} returns
     * @param memory bytes for tiles
     */
    TileGpu open(Cell cell, int bits, IntFunction<RuntimeException> negativeCycle, long memory);
}
