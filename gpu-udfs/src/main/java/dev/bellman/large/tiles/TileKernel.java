package dev.bellman.large.tiles;

/** The operations on a tile, with the paper's names. */
public enum TileKernel {
    /** Updates a tile from itself only; every later cell depends on it. */
    A,
    /**
     * Updates a tile from itself and others; if a pattern has both B and C, tiles to the right of A's, or contributions
     * along rows.
     */
    B,
    /** Updates a tile from itself and others: tiles below A's, or contributions along columns. */
    C,
    /** Updates a tile from two others: like a matrix product, with no order among its cells. */
    D
}
