package dev.bellman.job.spec;

/** How input rows become instances. */
public enum PairingMode {
    /** Each row holds the arguments of one instance in its columns. */
    COLUMNS,
    /** Every input row with every target. */
    CROSS,
    /** Every two input rows, once. */
    ALL_VS_ALL,
    /** Close rows of the input and the targets or, without targets, close pairs of input rows, each once. */
    WITHIN,
    /** Every input row with its closest targets. */
    NEAREST;

    /** Whether this mode selects pairs by a {@link Metric}. */
    public boolean isByDistance() {
        return this == WITHIN || this == NEAREST;
    }
}
