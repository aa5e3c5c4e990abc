package dev.bellman.columns;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.OrderByArg;
import ai.rapids.cudf.Table;
import java.util.Optional;

/** Sorts arrays on the GPU. */
public final class Sorting {
    private Sorting() {}

    /** Sorts the first {@code count} int64 keys in ascending order, and moves the int32 values along with them. */
    public static void byKey(int count, DeviceMemoryBuffer keys, DeviceMemoryBuffer values) {
        if (count == 0) {
            return;
        }
        try (ColumnView keyView = new ColumnView(DType.INT64, count, Optional.of(0L), keys, null);
                ColumnView valueView = new ColumnView(DType.INT32, count, Optional.of(0L), values, null);
                ColumnVector ownKeys = keyView.copyToColumnVector();
                ColumnVector ownValues = valueView.copyToColumnVector();
                Table table = new Table(ownKeys, ownValues);
                Table sorted = table.orderBy(OrderByArg.asc(0))) {
            copy(sorted.getColumn(0), keys);
            copy(sorted.getColumn(1), values);
        }
    }

    /**
     * Returns the int32 indexes of the first {@code count} uint64 keys in ascending order of the keys. The order of
     * equal keys is undefined.
     */
    public static DeviceMemoryBuffer order(Scratch scratch, int count, DeviceMemoryBuffer keys) {
        DeviceMemoryBuffer order = scratch.allocateInts(count);
        try (ColumnView view = new ColumnView(DType.UINT64, count, Optional.of(0L), keys, null);
                ColumnVector column = view.copyToColumnVector();
                Table table = new Table(column);
                ColumnVector sorted = table.sortOrder(OrderByArg.asc(0))) {
            copy(sorted, order);
        }
        return order;
    }

    private static void copy(ColumnVector from, DeviceMemoryBuffer to) {
        try (BaseDeviceMemoryBuffer data = from.getData()) {
            to.copyFromDeviceBufferAsync(0, data, 0, data.getLength(), Cuda.DEFAULT_STREAM);
        }
    }
}
