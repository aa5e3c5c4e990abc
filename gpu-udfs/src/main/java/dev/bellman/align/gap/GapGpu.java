package dev.bellman.align.gap;

import dev.bellman.large.tiles.TileGpu;

/** The GPU component that computes the table of one pair. */
public interface GapGpu {
    /**
     * Returns the number of bytes available to a table on a task's GPU, or 0 if the GPU has too little shared memory.
     */
    long memory();

    /**
     * Opens the GPU of a task.
     *
     * @param wide whether cells have 64 bits
     * @param memory the number of bytes that tiles may take
     */
    TileGpu open(int[] a, int[] b, GapScores scores, boolean wide, long memory);
}
