package dev.bellman.graph.dense;

import dev.bellman.large.tiles.TileGpu;
import java.util.function.IntFunction;

/** Opens {@link LargeDistances}. */
public final class DistanceTilesOnGpu implements DistancesGpu {
    @Override
    public TileGpu open(Cell cell, int bits, double margin, IntFunction<RuntimeException> negativeCycle, long memory) {
        return new LargeDistances(cell, bits, margin, negativeCycle, memory);
    }
}
