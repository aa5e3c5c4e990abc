package dev.bellman.job;

/** How a command prints a table. */
enum TableFormat {
    TEXT,
    MARKDOWN
}
