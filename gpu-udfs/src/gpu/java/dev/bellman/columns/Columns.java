package dev.bellman.columns;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.DataType;
import com.nvidia.spark.rapids.jni.GpuSplitAndRetryOOM;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;

/** Contains helper methods that the views of columns share. */
final class Columns {
    private Columns() {}

    static void check(ColumnView column, DataType expected) {
        boolean fits = column.getType().equals(expected.getType());
        if (!fits || expected.getType().equals(DType.STRUCT) && column.getNumChildren() != expected.getNumChildren()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    ("a kernel expects a column of type %s with %d children, but received a column of type %s with %d "
                                    + "children")
                            .formatted(
                                    expected.getType(),
                                    expected.getNumChildren(),
                                    column.getType(),
                                    column.getNumChildren()));
        }
    }

    /**
     * Rejects slices, because cudf's Java binding does not expose where a slice begins in its parent, only that it has
     * more offsets than a whole column.
     *
     * @throws GpuSplitAndRetryOOM if the strings have more than 2^31 - 1 bytes in total, so that their offsets have 64
     *     bits; RAPIDS then splits the batch in half and tries again
     */
    static void checkOffsets(ColumnView column) {
        try (BaseDeviceMemoryBuffer offsets = column.getOffsets()) {
            long expected = 4 * (column.getRowCount() + 1);
            if (column.getRowCount() > 1 && offsets != null && offsets.getLength() == 2 * expected) {
                throw new GpuSplitAndRetryOOM("the strings in %d rows have more than 2^31 - 1 bytes in total"
                        .formatted(column.getRowCount()));
            }
            if (column.getRowCount() > 0 && (offsets == null || offsets.getLength() != expected)) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INTERNAL,
                        ("a kernel received a view of part of a column (%d rows, %d bytes of offsets); copy the view "
                                        + "to a column first")
                                .formatted(column.getRowCount(), offsets == null ? 0 : offsets.getLength()));
            }
        }
    }

    static long address(BaseDeviceMemoryBuffer buffer) {
        try (buffer) {
            return buffer == null ? 0 : buffer.getAddress();
        }
    }
}
