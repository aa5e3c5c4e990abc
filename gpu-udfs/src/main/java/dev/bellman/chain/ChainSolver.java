package dev.bellman.chain;

/** A solved parenthesization whose costs are integers. */
public interface ChainSolver {
    /** Marks a cost beyond 63 bits. */
    long OVERFLOW = -1;

    /** The minimum cost, or {@link #OVERFLOW}. */
    long cost();

    /**
     * The splits of an optimal tree in preorder: for each part of two or more leaves, the last leaf of its left part,
     * counted from 1. The cost must not have overflowed.
     */
    int[] splits();
}
