package dev.bellman.chain;

import dev.bellman.large.tiles.TileGpu;

/** The GPU component that computes the table of one parenthesization. */
public interface ParenthesizationGpu {
    /**
     * Returns the number of bytes available to a table on a task's GPU, or 0 if the GPU has too little shared memory.
     */
    long memory();

    /**
     * Opens the GPU of a task.
     *
     * @param memory the number of bytes that tiles may take
     * @param weights the weights of a chain's vertices
     */
    TileGpu open(TableKind kind, int leaves, long memory, long... weights);
}
