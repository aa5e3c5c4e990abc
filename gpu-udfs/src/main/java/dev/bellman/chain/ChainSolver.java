package dev.bellman.chain;

/** A solved chain, or another parenthesization whose costs are integers. */
interface ChainSolver {
    /** What stands for a cost beyond 63 bits. */
    long OVERFLOW = -1;

    /** The least cost, or {@link #OVERFLOW}. */
    long cost();

    /** The splits of an optimal tree in preorder, as {@link MatrixChain} defines them. The cost must not be an overflow. */
    int[] splits();
}
