package dev.bellman.job.spec;

/** The way in which rows of the input become instances. */
public enum PairingMode {
    /** Each row holds the arguments of one instance in its columns. */
    COLUMNS,
    /** Every row of the input with every row of the targets. */
    CROSS,
    /** Every two rows of the input, once. */
    ALL_VS_ALL,
    /** Close rows: of the input and the targets, or, without targets, each pair of rows of the input once. */
    WITHIN,
    /** Every row of the input with the closest targets. */
    NEAREST;

    /** Whether it chooses pairs by a {@link Metric}. */
    public boolean isByDistance() {
        return this == WITHIN || this == NEAREST;
    }
}
