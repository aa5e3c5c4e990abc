package dev.bellman.job.text;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** The columns that a query reads, in the order of the row, and whether sequences are converted to uppercase. */
record SequenceLayout(List<SequenceColumn> columns, boolean upperCase) implements Serializable {
    SequenceLayout(SequenceColumn[] columns, boolean upperCase) {
        this(Arrays.asList(columns), upperCase);
    }

    boolean has(SequenceColumn column) {
        return columns.contains(column);
    }
}
