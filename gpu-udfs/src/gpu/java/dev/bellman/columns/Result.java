package dev.bellman.columns;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values of a result, in the batch's buffers. The batch adds the null rows ({@link Batch#validity}). In a
 * fixed-width column, the content of a null row's slot does not matter; in a column of strings or lists, a null row
 * must have length zero.
 */
public final class Result {
    private final DType type;
    private final DeviceMemoryBuffer data;
    private final DeviceMemoryBuffer offsets;
    private final List<Result> children;
    private final DeviceMemoryBuffer elementValidity;

    private Result(DType type, DeviceMemoryBuffer data, DeviceMemoryBuffer offsets, List<Result> children) {
        this(type, data, offsets, children, null);
    }

    private Result(
            DType type,
            DeviceMemoryBuffer data,
            DeviceMemoryBuffer offsets,
            List<Result> children,
            DeviceMemoryBuffer elementValidity) {
        this.type = type;
        this.data = data;
        this.offsets = offsets;
        this.children = children;
        this.elementValidity = elementValidity;
    }

    /** Returns a BOOL8 column, with one byte per value: 0 or 1. */
    public static Result booleans(DeviceMemoryBuffer values) {
        return new Result(DType.BOOL8, values, null, List.of());
    }

    /** Returns an INT32 column. */
    public static Result ints(DeviceMemoryBuffer values) {
        return new Result(DType.INT32, values, null, List.of());
    }

    /** Returns an INT64 column. */
    public static Result longs(DeviceMemoryBuffer values) {
        return new Result(DType.INT64, values, null, List.of());
    }

    /** Returns a FLOAT64 column. */
    public static Result doubles(DeviceMemoryBuffer values) {
        return new Result(DType.FLOAT64, values, null, List.of());
    }

    /** Returns a STRING column. {@code bytes} contains the {@code offsets.total()} UTF-8 bytes of all rows. */
    public static Result strings(Offsets offsets, DeviceMemoryBuffer bytes) {
        return new Result(DType.STRING, bytes, offsets.buffer(), List.of());
    }

    /**
     * Returns a LIST column. The elements are fixed-width values, strings, structs of these, or lists of any of these.
     * The buffers of {@code elements} contain the elements of all rows and nothing else.
     */
    public static Result lists(Offsets offsets, Result elements) {
        return new Result(DType.LIST, null, offsets.buffer(), List.of(elements));
    }

    /**
     * Returns the same values for use as list elements or as a struct's field. Some of the values are null according to
     * a mask, as described in {@link Batch#validity}; in a struct, the values of null rows are also null. Several
     * fields may share the same mask.
     */
    public Result withNulls(DeviceMemoryBuffer validity) {
        return new Result(type, data, offsets, children, validity);
    }

    /** Returns a STRUCT column. A field without its own mask is null if and only if the struct is null. */
    public static Result struct(Result... fields) {
        return new Result(DType.STRUCT, null, null, List.of(fields));
    }

    /** Returns all buffers that contain the values. */
    List<DeviceMemoryBuffer> buffers() {
        List<DeviceMemoryBuffer> buffers = childBuffers();
        if (data != null) {
            buffers.add(data);
        }
        if (offsets != null) {
            buffers.add(offsets);
        }
        if (elementValidity != null) {
            buffers.add(elementValidity);
        }
        return buffers;
    }

    private List<DeviceMemoryBuffer> childBuffers() {
        List<DeviceMemoryBuffer> buffers = new ArrayList<>();
        children.stream().flatMap(child -> child.buffers().stream()).distinct().forEach(buffers::add);
        return buffers;
    }

    /** Returns the column, which then owns the buffers and the null mask. */
    ColumnVector column(int rows, Optional<Long> nulls, DeviceMemoryBuffer validity) {
        List<ColumnView> views = childViews(rows, nulls, validity);
        try {
            return new ColumnVector(
                    type,
                    rows,
                    nulls,
                    data,
                    validity,
                    offsets,
                    childBuffers(),
                    views.stream().mapToLong(ColumnView::getNativeView).toArray());
        } finally {
            views.forEach(ColumnView::close);
        }
    }

    private ColumnView view(int rows, Optional<Long> nulls, DeviceMemoryBuffer validity) {
        if (children.isEmpty()) {
            return new ColumnView(type, rows, nulls, data, validity, offsets);
        }
        List<ColumnView> views = childViews(rows, nulls, validity);
        try {
            return new ColumnView(type, rows, nulls, validity, offsets, views.toArray(ColumnView[]::new));
        } finally {
            views.forEach(ColumnView::close);
        }
    }

    /** Returns the number of values in the buffers: fixed-width values, strings, structs of these, or lists. */
    private int elements() {
        if (offsets != null) {
            return Math.toIntExact(offsets.getLength() / Integer.BYTES - 1);
        }
        return children.isEmpty()
                ? Math.toIntExact(data.getLength() / type.getSizeInBytes())
                : children.get(0).elements();
    }

    /**
     * Returns views of the columns nested in this one. List elements have their own null mask; the fields of a struct
     * share the struct's mask unless they have their own.
     */
    private List<ColumnView> childViews(int rows, Optional<Long> nulls, DeviceMemoryBuffer validity) {
        List<ColumnView> views = new ArrayList<>();
        try {
            for (Result child : children) {
                boolean isElement = type.equals(DType.LIST);
                boolean hasMask = child.elementValidity != null;
                views.add(child.view(
                        isElement ? child.elements() : rows,
                        hasMask ? Optional.empty() : isElement ? Optional.of(0L) : nulls,
                        hasMask ? child.elementValidity : isElement ? null : validity));
            }
            return views;
        } catch (RuntimeException | Error e) {
            views.forEach(ColumnView::close);
            throw e;
        }
    }
}
