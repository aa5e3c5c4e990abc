package dev.bellman.job.text;

import java.util.Locale;

/** The columns of sequence files. */
enum SequenceColumn {
    ID,
    DESCRIPTION,
    SEQUENCE,
    QUALITY;

    String columnName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
