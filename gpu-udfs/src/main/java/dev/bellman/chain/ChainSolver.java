package dev.bellman.chain;

/** A solved parenthesization whose costs are integers. */
public interface ChainSolver {
    /** Marks a cost beyond 63 bits. */
    long OVERFLOW = -1;

    /** Returns the minimum cost, or {@link #OVERFLOW}. */
    long cost();

    /**
     * Returns the splits of an optimal tree in preorder: for each range of two or more leaves, the last leaf of its
     * left part, counted from 1. Must not be called if the cost has overflowed.
     */
    int[] splits();
}
