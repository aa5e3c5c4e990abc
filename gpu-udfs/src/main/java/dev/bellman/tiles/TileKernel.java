package dev.bellman.tiles;

/** What is done to a tile, by the names of the paper. */
public enum TileKernel {
    /** A tile by itself; the first on the way of every cell after it. */
    A,
    /** A tile by itself and others; where there are B and C, tiles right of A's, or what comes along rows. */
    B,
    /** A tile by itself and others: tiles below A's, or what comes along columns. */
    C,
    /** A tile by two others, disjoint from it: like a product of matrices, with no order among its cells. */
    D
}
