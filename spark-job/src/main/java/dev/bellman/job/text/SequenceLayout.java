package dev.bellman.job.text;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Which columns a query wants, in the order of the row, and whether sequences are folded to upper case. */
record SequenceLayout(List<SequenceColumn> columns, boolean upperCase) implements Serializable {
    SequenceLayout(SequenceColumn[] columns, boolean upperCase) {
        this(Arrays.asList(columns), upperCase);
    }

    boolean has(SequenceColumn column) {
        return columns.contains(column);
    }
}
