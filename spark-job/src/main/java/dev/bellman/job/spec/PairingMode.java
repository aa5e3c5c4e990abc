package dev.bellman.job.spec;

/** How the rows of the input become instances. */
public enum PairingMode {
    /** The columns of each row contain the arguments of one instance. */
    COLUMNS,
    /** Pairs every input row with every target. */
    CROSS,
    /** Joins every input row with the targets that have equal values in certain columns. */
    JOIN,
    /** Forms each pair of two input rows once or, for {@code best}, in both directions. */
    ALL_VS_ALL,
    /**
     * Pairs rows of the input with targets that are close to them. Without targets, forms those pairs of
     * {@link #ALL_VS_ALL} that are close.
     */
    WITHIN,
    /** Pairs every input row with the targets that are closest to it. */
    NEAREST;

    /**
     * Whether every argument is an expression over a row, which may be a joined row. In the other modes, one expression
     * is the first argument for one row of a pair, and the second argument for the other.
     */
    public boolean hasRows() {
        return this == COLUMNS || this == JOIN;
    }

    /** Whether this mode uses a {@link Metric} to select pairs. */
    public boolean isByDistance() {
        return this == WITHIN || this == NEAREST;
    }
}
