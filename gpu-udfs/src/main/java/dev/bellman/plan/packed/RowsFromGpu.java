package dev.bellman.plan.packed;

import java.util.List;
import java.util.Optional;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.unsafe.Platform;

/** Copies columns that RAPIDS computes to host memory. */
public interface RowsFromGpu {
    /**
     * Returns the rows of a node, or empty if RAPIDS does not compute the node's columns. A batch is valid until its
     * iterator is used again.
     */
    Optional<RDD<Batch>> batches(SparkPlan node);

    /** Rows in host memory. */
    record Batch(int rows, List<Column> columns) {}

    /**
     * A column of strings or fixed-width values in host memory. The address of a missing buffer is 0.
     *
     * @param data the address of the bytes of all strings, or of the values
     * @param offsets the address of the 32-bit offsets in {@code data} at which strings begin, and of the last end
     * @param validity the address of a bit for each row, which is 0 if the row is NULL
     * @param width the number of bytes per value: 1, 2, 4 or 8
     * @param signed whether a word with the value repeats its sign
     */
    record Column(long data, long offsets, long validity, int width, boolean signed) {
        boolean isNull(int row) {
            return validity != 0 && (Platform.getByte(null, validity + (row >>> 3)) >>> (row & 7) & 1) == 0;
        }

        /** Returns a value as a word of an {@code UnsafeRow}. */
        long word(int row) {
            long at = data + (long) width * row;
            return switch (width) {
                case Long.BYTES -> Platform.getLong(null, at);
                case Integer.BYTES -> {
                    int value = Platform.getInt(null, at);
                    yield signed ? value : Integer.toUnsignedLong(value);
                }
                case Short.BYTES -> Short.toUnsignedLong(Platform.getShort(null, at));
                default -> Byte.toUnsignedLong(Platform.getByte(null, at));
            };
        }

        /** Returns the position in {@code data} at which a string begins and the previous one ends. */
        int offset(int row) {
            // a column of empty strings may lack offsets
            return offsets == 0 ? 0 : Platform.getInt(null, offsets + (long) Integer.BYTES * row);
        }
    }
}
