package dev.bellman.chain;

/** A solved parenthesization whose costs are integers. */
public interface ChainSolver {
    /** What stands for a cost beyond 63 bits. */
    long OVERFLOW = -1;

    /** The least cost, or {@link #OVERFLOW}. */
    long cost();

    /**
     * The splits of an optimal tree in preorder: of each part of two or more leaves the last leaf of its left part, counted from 1. The
     * cost must not be an overflow.
     */
    int[] splits();
}
