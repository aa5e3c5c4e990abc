package dev.bellman.graph.dense;

import dev.bellman.large.tiles.TileGpu;
import java.util.function.IntFunction;

/** The GPU component that computes {@link DistanceTiles}. */
public interface DistancesGpu {
    /**
     * Opens the GPU of a task.
     *
     * @param bits the number of key bits, as in {@link LongDistances}; 0 for lengths
     * @param margin the margin of {@link DoubleDistances}; 0 for integers
     * @param negativeCycle creates the exception for a vertex that {@link Distances#solve} returns
     * @param memory the number of bytes that tiles may take
     */
    TileGpu open(Cell cell, int bits, double margin, IntFunction<RuntimeException> negativeCycle, long memory);
}
