package dev.bellman.large.tiles;

/** The operations on a tile, named as in Javanmard et al. (2019). */
public enum TileKernel {
    /** Updates a tile from itself, and from its neighbours in patterns in which cells depend on neighbours. */
    A,
    /**
     * Updates a tile from itself and others; if a pattern has both B and C, B is for tiles in the row of A's tile, or
     * for contributions along rows.
     */
    B,
    /**
     * Updates a tile from itself and others, for tiles in the column of A's tile or for contributions along columns.
     */
    C,
    /** Updates a tile from two others, like a matrix product; the tile's cells may be computed in any order. */
    D
}
