package dev.bellman.job.text;

import java.util.Locale;

/** The columns that sequence files have. */
enum SequenceColumn {
    ID,
    DESCRIPTION,
    SEQUENCE,
    QUALITY;

    String columnName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
