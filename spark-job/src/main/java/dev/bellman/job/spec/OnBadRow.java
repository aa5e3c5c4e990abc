package dev.bellman.job.spec;

/**
 * How a job treats bad rows: malformed records, and rows whose arguments cannot be evaluated or are rejected by a
 * function.
 */
public enum OnBadRow {
    /** The job stops and reports a bad row. */
    FAIL,
    /** The results of bad rows are NULL. */
    NULL,
    /** Bad rows are written to a separate folder, with the reason, instead of the output. */
    QUARANTINE
}
