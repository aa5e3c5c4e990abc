package dev.bellman.job.text;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** The columns that a query wants, in row order, and whether sequences are folded to upper case. */
record SequenceLayout(List<SequenceColumn> columns, boolean upperCase) implements Serializable {
    SequenceLayout(SequenceColumn[] columns, boolean upperCase) {
        this(Arrays.asList(columns), upperCase);
    }

    boolean has(SequenceColumn column) {
        return columns.contains(column);
    }
}
