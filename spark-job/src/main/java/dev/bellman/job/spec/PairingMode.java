package dev.bellman.job.spec;

/** The ways in which input rows become instances. */
public enum PairingMode {
    /** Each row contains the arguments of one instance in its columns. */
    COLUMNS,
    /** Pairs every input row with every target. */
    CROSS,
    /** Pairs every two input rows once. */
    ALL_VS_ALL,
    /** Pairs close rows of the input and the targets. Without targets, pairs close input rows once. */
    WITHIN,
    /** Pairs every input row with its closest targets. */
    NEAREST;

    /** Whether this mode selects pairs by a {@link Metric}. */
    public boolean isByDistance() {
        return this == WITHIN || this == NEAREST;
    }
}
