package dev.bellman.align.gap;

import dev.bellman.columns.TaskGpu;
import dev.bellman.large.tiles.TileGpu;

/** Opens {@link LargeGap}. */
public final class GapOnGpu implements GapGpu {
    @Override
    public long memory() {
        long memory = new TaskGpu().memory();
        return LargeGap.fits() ? memory : 0;
    }

    @Override
    public TileGpu open(int[] a, int[] b, GapScores scores, boolean wide, long memory) {
        return LargeGap.open(a, b, scores, wide, memory);
    }
}
