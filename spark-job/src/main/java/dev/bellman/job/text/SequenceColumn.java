package dev.bellman.job.text;

import java.util.Locale;

/** The columns of a sequence file. */
enum SequenceColumn {
    ID,
    DESCRIPTION,
    SEQUENCE,
    QUALITY;

    String columnName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
