package dev.bellman.columns;

import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;

/**
 * A column of 32-bit integers in device memory.
 *
 * @param values address of {@code rows} int32; a null row's is undefined
 * @param validity address of the null mask, a bit for each row in 32-bit words, set where the row is not null; 0 if no row is null
 */
public record IntColumn(int rows, long values, long validity) {
    static IntColumn of(ColumnView column) {
        Columns.check(column, DType.INT32);
        return new IntColumn(
                Math.toIntExact(column.getRowCount()),
                Columns.address(column.getData()),
                Columns.address(column.getValid()));
    }
}
