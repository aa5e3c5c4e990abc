package dev.bellman.job.text;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** Iterates over the rows in one file or part of a file. */
interface RowSource {
    /** Moves to the next row; returns false at the end. */
    boolean next();

    /** Returns the current row, which is valid until the next call of {@link #next}. */
    InternalRow row();

    /** Creates the rows of files in tasks. */
    interface Factory extends Serializable {
        /** Returns the rows of the records in {@code input} that start before byte {@code end}. */
        RowSource open(TextInput input, long end);
    }
}
