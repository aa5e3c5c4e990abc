package dev.bellman.job.cli;

/** How a command prints a table. */
enum TableFormat {
    TEXT,
    MARKDOWN
}
