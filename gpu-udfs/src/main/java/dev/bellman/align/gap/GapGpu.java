package dev.bellman.align.gap;

import dev.bellman.large.tiles.TileGpu;

/** The part of the GPU side that computes the tables of one pair. */
public interface GapGpu {
    /** The bytes that a table may take on the GPU of a task; 0 if the GPU has too little shared memory. */
    long memory();

    /**
     * Opens the GPU of a task.
     *
     * @param wide whether cells have 64 bits
     * @param memory bytes for tiles
     */
    TileGpu open(int[] a, int[] b, GapScores scores, boolean wide, long memory);
}
