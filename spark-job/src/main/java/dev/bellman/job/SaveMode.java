package dev.bellman.job;

/** What becomes of an output that exists, as in Spark. */
enum SaveMode {
    ERROR,
    OVERWRITE,
    APPEND,
    IGNORE
}
