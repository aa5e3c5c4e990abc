package dev.bellman.job.text;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** Iterates over the rows of a file or of a part of a file. */
interface RowSource {
    /** Moves to the next row; returns false if there is none. */
    boolean next();

    /** Returns the current row; it is valid until the next call of {@link #next}. */
    InternalRow row();

    /** Creates the rows of files within tasks. */
    interface Factory extends Serializable {
        /** Returns the rows for those records in {@code input} that start before byte {@code end}. */
        RowSource open(TextInput input, long end);
    }
}
