package dev.bellman.columns;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;

/**
 * A column of strings in device memory. Row {@code i} is the UTF-8 at {@code bytes + offsets[i]} up to {@code bytes + offsets[i + 1]}.
 * The first offset need not be zero.
 *
 * @param offsets address of {@code rows + 1} ascending int32
 * @param bytes address of the characters of all rows; 0 if there are none
 * @param byteCount how many bytes that is
 * @param validity address of the null mask, a bit for each row in 32-bit words, set where the row is not null; 0 if no row is null
 */
public record StringColumn(int rows, long offsets, long bytes, long byteCount, long validity) {
    static StringColumn of(ColumnView column) {
        Columns.check(column, DType.STRING);
        Columns.checkOffsets(column);
        try (BaseDeviceMemoryBuffer data = column.getData()) {
            return new StringColumn(
                    Math.toIntExact(column.getRowCount()),
                    Columns.address(column.getOffsets()),
                    data == null ? 0 : data.getAddress(),
                    data == null ? 0 : data.getLength(),
                    Columns.address(column.getValid()));
        }
    }
}
