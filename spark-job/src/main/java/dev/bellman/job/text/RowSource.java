package dev.bellman.job.text;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** Iterates over the rows of one file or part of a file. */
interface RowSource {
    /** Moves to the next row; false at the end. */
    boolean next();

    /** The current row, valid until the next call of {@link #next}. */
    InternalRow row();

    /** Creates the rows of files, in tasks. */
    interface Factory extends Serializable {
        /** The rows of the records of {@code input} that start before byte {@code end}. */
        RowSource open(TextInput input, long end);
    }
}
