package dev.bellman.columns;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.ScanAggregation;
import ai.rapids.cudf.ScanType;
import ai.rapids.cudf.Table;
import com.nvidia.spark.rapids.jni.GpuSplitAndRetryOOM;
import dev.bellman.FunctionOptions;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A batch of rows, with their arguments and the device memory of one evaluation. Memory that does not become part of
 * the result is freed when the evaluation ends, whether normally or with an exception.
 */
public final class Batch implements AutoCloseable {
    private static final int AND_BLOCK = 256;

    private final int rows;
    private final ColumnVector[] arguments;
    private final Scratch scratch = new Scratch();
    private final CpuRows cpuRows = new CpuRows();
    private final Map<Integer, DeviceColumn> replacements = new HashMap<>();
    private final List<Runnable> whenDone = new ArrayList<>();
    private boolean validityKnown;
    private DeviceMemoryBuffer validity;

    private Batch(int rows, ColumnVector... arguments) {
        this.rows = rows;
        this.arguments = arguments;
    }

    /** Returns a kernel's result column, which has the given type and which the caller must close. */
    public static ColumnVector evaluate(ColumnarKernel kernel, DataType type, int rows, ColumnVector... arguments) {
        if (rows == 0) {
            return ColumnVector.empty(type);
        }
        try (Batch batch = new Batch(rows, arguments)) {
            ColumnVector solved = batch.column(kernel.evaluate(batch));
            ColumnVector all = batch.cpuRows.solve(batch, type, solved);
            batch.whenDone.forEach(Runnable::run);
            return all;
        }
    }

    public int rows() {
        return rows;
    }

    /** Returns the number of arguments of the call. */
    public int arguments() {
        return arguments.length;
    }

    /** Returns an argument of SQL type STRING, or the strings that replace it. */
    public DeviceColumn strings(int argument) {
        DeviceColumn replacement = replacements.get(argument);
        return replacement == null ? column(argument, Types.STRING) : replacement;
    }

    /** Replaces a STRING argument for kernels. The CPU still receives the argument itself. */
    public void replace(int argument, DeviceColumn strings) {
        replacements.put(argument, strings);
    }

    /** Returns an argument of a given cudf type. Nullability is ignored. */
    public DeviceColumn column(int argument, DataType expected) {
        return DeviceColumn.of(arguments[argument], expected);
    }

    /** Returns an argument of SQL type INT. */
    public DeviceColumn ints(int argument) {
        return column(argument, Types.INT);
    }

    /** Returns an ARRAY argument whose elements have the fixed-width cudf type {@code element}. */
    public DeviceColumn lists(int argument, DType element) {
        return column(argument, Types.list(Types.of(element)));
    }

    /** Copies an argument to the host; the caller must close it. */
    public HostColumnVector toHost(int argument) {
        return arguments[argument].copyToHost();
    }

    /** Returns one row's arguments in Spark's internal form, as the function takes them on the CPU. */
    public List<Object> row(int row) {
        List<Object> values = new ArrayList<>();
        for (ColumnVector argument : arguments) {
            try (ColumnVector one = argument.subVector(row, row + 1);
                    HostColumnVector host = one.copyToHost()) {
                values.add(HostValues.read(host, 0));
            }
        }
        return values;
    }

    /** Returns a STRING argument of one row without launching a kernel; the argument must not be null in this row. */
    public String text(int row, int argument) {
        try (BaseDeviceMemoryBuffer offsets = arguments[argument].getOffsets()) {
            int[] ends = DeviceArrays.readInts(offsets, row, 2);
            if (ends[0] == ends[1]) {
                return "";
            }
            try (BaseDeviceMemoryBuffer data = arguments[argument].getData()) {
                return new String(
                        DeviceArrays.read(data, ends[0], ends[1] - ends[0]).array(), StandardCharsets.UTF_8);
            }
        }
    }

    /** Copies the arguments of one or more rows to the host; the caller must close them. */
    HostRows rowsOnHost(int... chosen) {
        try (ColumnVector map = ColumnVector.fromInts(chosen);
                Table all = new Table(arguments);
                Table gathered = all.gather(map)) {
            return HostRows.of(gathered);
        }
    }

    /**
     * Arranges for the CPU to solve some rows as soon as the kernel is complete. These rows must be null in the
     * kernel's result.
     */
    void solveOnCpu(Supplier<int[]> rows, FunctionOptions options, CpuFunction cpu) {
        cpuRows.add(rows, options, cpu);
    }

    /**
     * Registers an action that runs as soon as the result is complete. Therefore, an action never runs twice for the
     * same rows, even if they are evaluated again.
     */
    public void whenDone(Runnable action) {
        whenDone.add(action);
    }

    /** Allocates memory for a null mask with the given number of elements. */
    public DeviceMemoryBuffer allocateMask(int elements) {
        return allocate(maskBytes(elements));
    }

    /** Allocates a null mask with the given number of elements, all of which are null. */
    public DeviceMemoryBuffer emptyMask(int elements) {
        return scratch.filled(maskBytes(elements), (byte) 0);
    }

    /** Returns the scratch memory of this batch. */
    public Scratch scratch() {
        return scratch;
    }

    /** Allocates memory with undefined content. It is freed with the batch unless it becomes part of the result. */
    public DeviceMemoryBuffer allocate(long bytes) {
        return scratch.allocate(bytes);
    }

    /** Works like {@link #allocate} for the given number of int32. */
    public DeviceMemoryBuffer allocateInts(long count) {
        return scratch.allocateInts(count);
    }

    /** Works like {@link #allocate} for the given number of int64. */
    public DeviceMemoryBuffer allocateLongs(long count) {
        return scratch.allocateLongs(count);
    }

    /** Works like {@link #allocate} for the given number of doubles. */
    public DeviceMemoryBuffer allocateDoubles(long count) {
        return scratch.allocateDoubles(count);
    }

    /**
     * Returns the address of the result's null mask; 0 if no row is null. A row of the result is null if any of its
     * arguments is null. In the 32-bit words of the mask, bit {@code i} is set if row {@code i} is not null.
     */
    public long validity() {
        if (!validityKnown) {
            for (ColumnVector argument : arguments) {
                if (argument.hasNulls()) {
                    and(argument);
                }
            }
            validityKnown = true;
        }
        return validity == null ? 0 : validity.getAddress();
    }

    /** Returns the address of the result's null mask for kernels that set rows to null; never 0. */
    public long writableValidity() {
        if (validity() == 0) {
            validity = scratch.filled(maskBytes(rows), (byte) -1);
        }
        return validity.getAddress();
    }

    /** Intersects the mask with an argument's mask, so that a row stays non-null only if it is non-null in both. */
    private void and(ColumnVector argument) {
        Kernel kernel = CudaModule.load("columns/validity").kernel("and_validity");
        DeviceMemoryBuffer before = validity;
        if (before == null) {
            validity = scratch.allocate(maskBytes(rows));
        }
        try (BaseDeviceMemoryBuffer mask = argument.getValid()) {
            long words = (rows + 31L) / 32;
            kernel.threads(words, AND_BLOCK)
                    .launch(validity.getAddress(), mask.getAddress(), before == null ? 0L : before.getAddress(), words);
        }
    }

    /** Returns the size of a mask in bytes. cudf requires a multiple of 64 bytes. */
    private static long maskBytes(int elements) {
        return (elements + 511L) / 512 * 64;
    }

    /**
     * Computes the offsets of a column of strings or lists from the lengths of its rows.
     *
     * @param lengths {@code rows + 1} int32: the length of each row, which is zero for null rows, followed by one entry
     *     with any value
     * @throws GpuSplitAndRetryOOM if the lengths add up to more than 2^31 - 1, which is the limit of a column; RAPIDS
     *     then splits the batch in half and tries again
     */
    public Offsets offsets(DeviceMemoryBuffer lengths) {
        return offsets(lengths, rows);
    }

    /**
     * Works like {@link #offsets(DeviceMemoryBuffer)} for a column that is nested in the result and has {@code count}
     * rows.
     */
    public Offsets offsets(DeviceMemoryBuffer lengths, int count) {
        if (count == 0) {
            return new Offsets(scratch.zeroInts(1), 0);
        }
        long total;
        try (ColumnView values = new ColumnView(DType.INT32, count, Optional.of(0L), lengths, null);
                Scalar sum = values.sum(DType.INT64)) {
            total = sum.getLong();
        }
        if (total > Integer.MAX_VALUE) {
            throw new GpuSplitAndRetryOOM("the results of %d rows have a total length of %d; a column holds at most %d"
                    .formatted(rows, total, Integer.MAX_VALUE));
        }
        DeviceMemoryBuffer offsets = allocate(4 * (count + 1L));
        try (ColumnView values = new ColumnView(DType.INT32, count + 1L, Optional.of(0L), lengths, null);
                ColumnVector sums = values.scan(ScanAggregation.sum(), ScanType.EXCLUSIVE);
                BaseDeviceMemoryBuffer data = sums.getData()) {
            offsets.copyFromDeviceBufferAsync(0, data, 0, offsets.getLength(), Cuda.DEFAULT_STREAM);
        }
        return new Offsets(offsets, (int) total);
    }

    /** Returns a STRING column, given the bytes of each row on the host. Rows whose array is null become null. */
    public Result strings(byte[]... values) {
        int[] lengths = new int[rows + 1];
        byte[][] bytes = new byte[rows][];
        BitSet missing = new BitSet();
        for (int row = 0; row < rows; row++) {
            missing.set(row, values[row] == null);
            bytes[row] = values[row] == null ? new byte[0] : values[row];
            lengths[row] = bytes[row].length;
        }
        setNull(missing);
        Offsets offsets = offsets(DeviceArrays.writeInts(scratch, lengths));
        DeviceMemoryBuffer all = allocate(offsets.total());
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Math.max(1, offsets.total()))) {
            long end = 0;
            for (byte[] each : bytes) {
                host.setBytes(end, each, 0, each.length);
                end += each.length;
            }
            all.copyFromMemoryBuffer(0, host, 0, end, Cuda.DEFAULT_STREAM);
        }
        return Result.strings(offsets, all);
    }

    private void setNull(BitSet missing) {
        if (missing.isEmpty()) {
            return;
        }
        writableValidity();
        int[] words = DeviceArrays.readInts(validity, 0, (rows + 31) / 32);
        for (int row = missing.nextSetBit(0); row >= 0; row = missing.nextSetBit(row + 1)) {
            words[row / 32] &= ~(1 << row);
        }
        DeviceMemoryBuffer known = DeviceArrays.writeInts(scratch, words);
        validity.copyFromDeviceBufferAsync(0, known, 0, known.getLength(), Cuda.DEFAULT_STREAM);
        scratch.free(known);
    }

    private ColumnVector column(Result result) {
        validity();
        ColumnVector column = result.column(rows, validity == null ? Optional.of(0L) : Optional.empty(), validity);
        result.buffers().forEach(scratch::release);
        if (validity != null) {
            scratch.release(validity);
        }
        return column;
    }

    @Override
    public void close() {
        scratch.close();
    }
}
