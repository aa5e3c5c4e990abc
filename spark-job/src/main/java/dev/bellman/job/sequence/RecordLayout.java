package dev.bellman.job.sequence;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Which columns a query wants, in the order of the row, and whether sequences are folded to upper case. */
record RecordLayout(List<SequenceColumn> columns, boolean upperCase) implements Serializable {
    RecordLayout(SequenceColumn[] columns, boolean upperCase) {
        this(Arrays.asList(columns), upperCase);
    }

    boolean has(SequenceColumn column) {
        return columns.contains(column);
    }
}
