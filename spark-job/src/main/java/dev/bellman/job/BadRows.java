package dev.bellman.job;

/** What becomes of rows with values that a function does not allow. */
enum BadRows {
    /** The job stops and names the first one. */
    FAIL,
    /** Their results are NULL. */
    NULL,
    /** They are left out of the output and written, with the reason, to a folder of their own. */
    QUARANTINE
}
