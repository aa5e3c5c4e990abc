package dev.bellman.job.cli;

/** The format in which a command prints a table. */
enum TableFormat {
    TEXT,
    MARKDOWN
}
