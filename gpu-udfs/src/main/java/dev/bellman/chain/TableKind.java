package dev.bellman.chain;

import java.util.Locale;

/**
 * The kinds of tables on the GPU. A kind determines the input of a problem and the arithmetic of its costs. Kernels are
 * named after the kind.
 */
public enum TableKind {
    /** Chains whose costs fit in 31 bits. */
    CHAIN_INT32(4),
    /** Chains whose costs can be represented exactly as doubles. */
    CHAIN_FLOAT64(8),
    /** Chains whose costs are below 2^60. */
    CHAIN_INT64(8),
    /** Chains with any costs; the result is negative if the cost exceeds 63 bits. */
    CHAIN_SATURATING(8),
    /** Leaves and ranges with non-negative int64 weights whose costs fit in 31 bits. */
    RANGES_INT32(4),
    /**
     * Leaves and ranges with non-negative int64 weights whose costs can be represented exactly as doubles. The kernels
     * store these costs as doubles, so large tiles of doubles also use this kind.
     */
    RANGES_FLOAT64(8),
    /**
     * Leaves and ranges with non-negative int64 weights and any costs; the result is negative if the cost exceeds 63
     * bits.
     */
    RANGES_SATURATING(8),
    /** Leaves and ranges with double weights, which are neither negative nor NaN. */
    RANGES_DOUBLE(8),
    /**
     * Search trees with non-negative int64 frequencies and any costs; the result is negative if the cost exceeds 63
     * bits. These tables are computed only by recursion.
     */
    TREES_SATURATING(8);

    private final int bytes;

    TableKind(int bytes) {
        this.bytes = bytes;
    }

    /** Returns the number of bytes per cost. */
    public int bytes() {
        return bytes;
    }

    /** Whether the inputs are chains, which are represented by the weights of their vertices. */
    boolean isChain() {
        return compareTo(CHAIN_SATURATING) <= 0;
    }

    public String kernel(String step) {
        return name().toLowerCase(Locale.ROOT) + "_" + step;
    }
}
