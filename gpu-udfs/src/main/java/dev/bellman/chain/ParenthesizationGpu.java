package dev.bellman.chain;

import dev.bellman.large.tiles.TileGpu;

/** The part of the GPU side that computes the table of one parenthesization. */
public interface ParenthesizationGpu {
    /** The bytes that a table may take on the GPU of a task; 0 if the GPU has too little shared memory. */
    long memory();

    /**
     * Opens the GPU of a task.
     *
     * @param memory bytes for tiles
     * @param weights of a chain's vertices
     */
    TileGpu open(TableKind kind, int leaves, long memory, long... weights);
}
