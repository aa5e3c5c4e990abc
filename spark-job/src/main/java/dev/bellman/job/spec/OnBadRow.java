package dev.bellman.job.spec;

/** The treatment of rows with values that a function rejects. */
public enum OnBadRow {
    /** The job stops and reports the first such row. */
    FAIL,
    /** Their results are NULL. */
    NULL,
    /** They are written, with the reason, to a separate folder instead of the output. */
    QUARANTINE
}
