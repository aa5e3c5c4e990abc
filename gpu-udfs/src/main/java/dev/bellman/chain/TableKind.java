package dev.bellman.chain;

import java.util.Locale;

/**
 * The kind of a table on the GPU: the input of an instance and the arithmetic of its costs. Kernels are named after it.
 */
public enum TableKind {
    /** Chains whose costs fit 31 bits. */
    CHAIN_INT32(4),
    /** Chains whose costs are exact in a double. */
    CHAIN_FLOAT64(8),
    /** Chains whose costs are below 2^60. */
    CHAIN_INT64(8),
    /** Any chain; a cost beyond 63 bits comes out negative. */
    CHAIN_SATURATING(8),
    /** Leaves and ranges of int64, at least 0, whose costs fit 31 bits. */
    RANGES_INT32(4),
    /**
     * Likewise, with costs that are exact in a double. Large tiles have the same numbers as the kernels, so this is
     * also the kind of tiles of doubles.
     */
    RANGES_FLOAT64(8),
    /** Likewise, with any costs; a cost beyond 63 bits comes out negative. */
    RANGES_SATURATING(8),
    /** Leaves and ranges of doubles, at least 0 and not NaN. */
    RANGES_DOUBLE(8),
    /**
     * Search trees with frequencies of int64, at least 0, any costs; one beyond 63 bits comes out negative. By
     * recursion only.
     */
    TREES_SATURATING(8);

    private final int bytes;

    TableKind(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of a cost. */
    public int bytes() {
        return bytes;
    }

    /** Whether the instances are chains, given by the weights of their vertices. */
    boolean isChain() {
        return compareTo(CHAIN_SATURATING) <= 0;
    }

    public String kernel(String step) {
        return name().toLowerCase(Locale.ROOT) + "_" + step;
    }
}
