package dev.bellman.chain;

import dev.bellman.columns.TaskGpu;
import dev.bellman.large.tiles.TileGpu;

/** Opens {@link LargeParenthesization}. */
public final class ParenthesizationOnGpu implements ParenthesizationGpu {
    @Override
    public long memory() {
        long memory = new TaskGpu().memory();
        return LargeParenthesization.fits() ? memory : 0;
    }

    @Override
    public TileGpu open(TableKind kind, int leaves, long memory, long... weights) {
        return LargeParenthesization.open(kind, leaves, memory, weights);
    }
}
