package dev.bellman.large.tiles;

/** The operations on a tile, as the paper names them. */
public enum TileKernel {
    /** A tile from itself alone; every later cell depends on it. */
    A,
    /** A tile from itself and others; if there are both B and C, tiles right of A's, or contributions along rows. */
    B,
    /** A tile from itself and others: tiles below A's, or contributions along columns. */
    C,
    /** A tile from two others, disjoint from it: like a matrix product, with no order among its cells. */
    D
}
