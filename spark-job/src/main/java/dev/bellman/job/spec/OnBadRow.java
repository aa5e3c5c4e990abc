package dev.bellman.job.spec;

/** What happens to rows whose values a function rejects. */
public enum OnBadRow {
    /** The job stops and reports the first bad row. */
    FAIL,
    /** The results of bad rows are NULL. */
    NULL,
    /** Bad rows are written to a separate folder, with the reason, instead of the output. */
    QUARANTINE
}
