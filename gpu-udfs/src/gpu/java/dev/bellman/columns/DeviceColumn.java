package dev.bellman.columns;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A column in device memory, with its nested columns. It consists of addresses; the address of a missing part is 0.
 *
 * <p>The elements of the list in row {@code i} are the rows from {@code offsets[i]} (inclusive) to
 * {@code offsets[i + 1]} (exclusive) of the only child, which contains the elements of all lists. The first offset may
 * be larger than zero. A struct has one child for each field, with one row for each row of the struct. The content of a
 * null row's slot is undefined, and so are the fields of a null struct. For example,
 * {@code ARRAY<STRUCT<source: INT, weight: BIGINT>>} is read as follows:
 *
 * <pre>{@code
 * DeviceColumn edges = batch.column(0, new ListType(true, new StructType(true, INT, LONG)));
 * edges.offsets();
 * edges.elements().validity();
 * edges.elements().field(1).values();
 * }</pre>
 *
 * @param validity the address of the null mask, which has one bit per row in 32-bit words, set if the row is not null;
 *     0 if no row is null
 * @param offsets for strings and lists: the address of {@code rows + 1} ascending int32 offsets, which count bytes or
 *     elements
 * @param values for a fixed-width type: the address of {@code rows} values; for strings: the address of the UTF-8 bytes
 *     of all rows
 * @param valueBytes the size of the values in bytes
 */
public record DeviceColumn(
        DType type, int rows, long validity, long offsets, long values, long valueBytes, List<DeviceColumn> children) {
    /** @param expected the type, ignoring nullability */
    static DeviceColumn of(ColumnView column, DataType expected) {
        Columns.check(column, expected);
        boolean hasOffsets =
                expected.getType().equals(DType.LIST) || expected.getType().equals(DType.STRING);
        if (hasOffsets) {
            Columns.checkOffsets(column);
        }
        List<DeviceColumn> children = IntStream.range(0, expected.getNumChildren())
                .mapToObj(i -> child(column, i, expected.getChild(i)))
                .toList();
        try (BaseDeviceMemoryBuffer data = children.isEmpty() ? column.getData() : null) {
            return new DeviceColumn(
                    column.getType(),
                    Math.toIntExact(column.getRowCount()),
                    Columns.address(column.getValid()),
                    hasOffsets ? Columns.address(column.getOffsets()) : 0,
                    data == null ? 0 : data.getAddress(),
                    data == null ? 0 : data.getLength(),
                    children);
        }
    }

    private static DeviceColumn child(ColumnView column, int index, DataType expected) {
        try (ColumnView child = column.getChildColumnView(index)) {
            return of(child, expected);
        }
    }

    /** Returns a column of strings that a kernel wrote. No row is null. */
    public static DeviceColumn strings(int rows, Offsets offsets, DeviceMemoryBuffer bytes) {
        return new DeviceColumn(
                DType.STRING, rows, 0, offsets.buffer().getAddress(), bytes.getAddress(), offsets.total(), List.of());
    }

    /** Returns the elements of a column of lists. */
    public DeviceColumn elements() {
        return children.get(0);
    }

    /** Returns a field of a column of structs, counted from 0. */
    public DeviceColumn field(int index) {
        return children.get(index);
    }
}
