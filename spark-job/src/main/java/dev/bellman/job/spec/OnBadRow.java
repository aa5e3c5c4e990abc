package dev.bellman.job.spec;

/** The treatment of rows whose values a function rejects. */
public enum OnBadRow {
    /** The job stops and reports the first bad row. */
    FAIL,
    /** The results of bad rows are NULL. */
    NULL,
    /** Bad rows are written, with the reason, to a separate folder instead of the output. */
    QUARANTINE
}
