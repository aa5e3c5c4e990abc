package dev.bellman.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.Rmm;
import com.nvidia.spark.rapids.jni.GpuRetryOOM;
import com.nvidia.spark.rapids.jni.GpuSplitAndRetryOOM;
import com.nvidia.spark.rapids.jni.RmmSpark;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuTest;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.KernelTimer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class BatchGpuTest extends GpuTest {
    /**
     * A kernel that returns a struct for each row number n: 10 * n, a string of n letters x, and a list that contains n
     * copies of n.
     */
    private static final class Shapes implements ColumnarKernel {
        private static final DataType TYPE = Types.struct(Types.LONG, Types.STRING, Types.list(Types.INT));

        @Override
        public Result evaluate(Batch batch) {
            // row 1 is null, so it has no length
            int[] lengths = {0, 0, 2, 3, -1};
            DeviceMemoryBuffer lengthsOnDevice = DeviceArrays.writeInts(batch.scratch(), lengths);
            Offsets offsets = batch.offsets(lengthsOnDevice);
            assertThat(offsets.total()).isEqualTo(5);
            assertThat(DeviceArrays.readInts(offsets.buffer(), 1, 4)).containsExactly(0, 0, 2, 5);
            Offsets listOffsets = batch.offsets(lengthsOnDevice);
            return Result.struct(
                    Result.longs(DeviceArrays.writeLongs(batch.scratch(), 0, -1, 20, 30)),
                    Result.strings(offsets, batch.scratch().filled(5, (byte) 'x')),
                    Result.lists(listOffsets, Result.ints(DeviceArrays.writeInts(batch.scratch(), 2, 2, 3, 3, 3))));
        }
    }

    private static final class Distances implements ColumnarKernel {
        @Override
        public Result evaluate(Batch batch) {
            DeviceMemoryBuffer lengths = batch.allocateInts(batch.rows() + 1);
            Cuda.asyncMemset(lengths.getAddress(), (byte) 0, lengths.getLength());
            Offsets offsets = batch.offsets(lengths);
            return Result.ints(offsets.buffer());
        }
    }

    private static ColumnVector arguments() {
        return ColumnVector.fromBoxedInts(0, null, 2, 3);
    }

    @Test
    void structOfEverything() {
        try (ColumnVector argument = arguments();
                ColumnVector result = Batch.evaluate(new Shapes(), Shapes.TYPE, 4, argument);
                HostColumnVector longs = child(result, 0);
                HostColumnVector strings = child(result, 1);
                HostColumnVector lists = child(result, 2)) {
            assertThat(result.getNullCount()).isEqualTo(1);
            for (HostColumnVector field : List.of(longs, strings, lists)) {
                assertThat(field.getNullCount()).isEqualTo(1);
                assertThat(field.isNull(1)).isTrue();
            }
            assertThat(longs.getLong(0)).isEqualTo(0);
            assertThat(longs.getLong(2)).isEqualTo(20);
            assertThat(longs.getLong(3)).isEqualTo(30);
            assertThat(strings.getJavaString(0)).isEmpty();
            assertThat(strings.getJavaString(2)).isEqualTo("xx");
            assertThat(strings.getJavaString(3)).isEqualTo("xxx");
            assertThat((Object) lists.getList(0)).isEqualTo(List.of());
            assertThat((Object) lists.getList(2)).isEqualTo(List.of(2, 2));
            assertThat((Object) lists.getList(3)).isEqualTo(List.of(3, 3, 3));
        }
    }

    private static HostColumnVector child(ColumnVector column, int index) {
        try (ColumnView view = column.getChildColumnView(index);
                ColumnVector copy = view.copyToColumnVector()) {
            assertThat(copy.hasNonEmptyNulls()).isFalse();
            return copy.copyToHost();
        }
    }

    /** Tests columns in which all strings and lists are empty. */
    @Test
    void nothingInside() {
        ColumnarKernel empty = batch -> {
            DeviceMemoryBuffer lengths = batch.scratch().zeroInts(batch.rows() + 1);
            Offsets strings = batch.offsets(lengths);
            Offsets lists = batch.offsets(lengths);
            return Result.struct(
                    Result.strings(strings, batch.allocate(strings.total())),
                    Result.lists(lists, Result.ints(batch.allocateInts(lists.total()))));
        };
        DataType type = Types.struct(Types.STRING, Types.list(Types.INT));
        try (ColumnVector argument = arguments();
                ColumnVector result = Batch.evaluate(empty, type, 4, argument);
                HostColumnVector strings = child(result, 0);
                HostColumnVector lists = child(result, 1)) {
            assertThat(strings.getJavaString(3)).isEmpty();
            assertThat((Object) lists.getList(3)).isEqualTo(List.of());
            assertThat(lists.isNull(1)).isTrue();
        }
    }

    @Test
    void noRows() {
        try (ColumnVector argument = ColumnVector.fromInts();
                ColumnVector result = Batch.evaluate(new Shapes(), Shapes.TYPE, 0, argument)) {
            assertThat(result.getRowCount()).isZero();
            assertThat(result.getType()).isEqualTo(DType.STRUCT);
            assertThat(result.getNumChildren()).isEqualTo(3);
        }
    }

    @Test
    void nullWhereAnyArgumentIs() {
        try (ColumnVector a = ColumnVector.fromBoxedInts(1, null, 3, 4, 5);
                ColumnVector b = ColumnVector.fromInts(1, 2, 3, 4, 5);
                ColumnVector c = ColumnVector.fromBoxedInts(1, 2, null, 4, null);
                ColumnVector result = Batch.evaluate(new Distances(), Types.INT, 5, a, b, c);
                ColumnVector expected = ColumnVector.fromBooleans(false, true, true, false, true);
                ColumnVector nulls = result.isNull();
                ColumnVector equal = nulls.equalTo(expected);
                var all = equal.all()) {
            assertThat(result.getNullCount()).isEqualTo(3);
            assertThat(all.getBoolean()).isTrue();
        }
    }

    /** Whichever allocation fails, the exception is passed on, and nothing remains allocated. */
    @Test
    void outOfMemoryAnywhere() {
        long thread = RmmSpark.getCurrentThreadId();
        RmmSpark.currentThreadIsDedicatedToTask(1);
        try (ColumnVector argument = arguments()) {
            Batch.evaluate(new Shapes(), Shapes.TYPE, 4, argument).close();
            long before = Rmm.getTotalBytesAllocated();
            int failures = 0;
            for (boolean failed = true; failed; failures++) {
                RmmSpark.forceRetryOOM(thread, 1, 2, failures);
                try {
                    Batch.evaluate(new Shapes(), Shapes.TYPE, 4, argument).close();
                    failed = false;
                } catch (GpuRetryOOM expected) {
                    RmmSpark.blockThreadUntilReady();
                }
                assertThat(Rmm.getTotalBytesAllocated())
                        .as("after failure %d", failures)
                        .isEqualTo(before);
            }
            // the allocations are the mask, lengths, both kinds of offsets, longs, characters, elements, and cudf's own
            assertThat(failures).isGreaterThan(7);
        } finally {
            RmmSpark.forceRetryOOM(thread, 0);
            RmmSpark.removeAllCurrentThreadAssociation();
            RmmSpark.taskDone(1);
        }
    }

    /** If a result exceeds the size limit of a column, an exception asks RAPIDS to halve the batch. */
    @Test
    void tooLong() {
        long before = Rmm.getTotalBytesAllocated();
        try (ColumnVector two = ColumnVector.fromInts(Integer.MAX_VALUE, 1);
                ColumnVector one = ColumnVector.fromInts(Integer.MAX_VALUE)) {
            assertThatThrownBy(() -> Batch.evaluate(new Lengths(), Types.INT, 2, two))
                    .isInstanceOf(GpuSplitAndRetryOOM.class);
            Batch.evaluate(new Lengths(), Types.INT, 1, one).close();
        }
        assertThat(Rmm.getTotalBytesAllocated()).isEqualTo(before);
    }

    /**
     * A kernel that takes its argument as the length of each row, and returns the offset at which the row would begin.
     */
    private static final class Lengths implements ColumnarKernel {
        @Override
        public Result evaluate(Batch batch) {
            DeviceMemoryBuffer lengths = batch.scratch().zeroInts(batch.rows() + 1);
            CudaModule.load("columns/validity")
                    .kernel("and_validity")
                    .threads(batch.rows(), 32)
                    .launch(lengths.getAddress(), batch.ints(0).values(), 0L, (long) batch.rows());
            return Result.ints(batch.offsets(lengths).buffer());
        }
    }

    /** The sum of the lengths in a batch is so large that RAPIDS has to halve the batch twice. */
    @Test
    void halved() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            rows.add(RowFactory.create(Integer.MAX_VALUE / 4));
        }
        spark().udf().register("begin", new Begin(), DataTypes.IntegerType);
        Dataset<Row> begins = rows(
                        new org.apache.spark.sql.types.StructType().add("length", DataTypes.IntegerType), 1, rows)
                .selectExpr("begin(length)");
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            expected.add(i % 4 * (Integer.MAX_VALUE / 4));
        }
        assertThat(begins.collectAsList()).extracting(row -> row.getInt(0)).isEqualTo(expected);
    }

    /** A function that runs only on the GPU. */
    static final class Begin implements UDF1<Integer, Integer>, KernelFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public Integer call(Integer length) {
            throw new AssertionError("on the CPU");
        }

        @Override
        public ColumnarKernel kernel() {
            return new Lengths();
        }

        @Override
        public org.apache.spark.sql.types.DataType resultType() {
            return DataTypes.IntegerType;
        }
    }

    @Test
    void partOfAColumn() {
        try (ColumnVector whole = ColumnVector.fromStrings("a", "b", "c", "d")) {
            ColumnView[] halves = whole.splitAsViews(1);
            try {
                assertThatThrownBy(() -> DeviceColumn.of(halves[1], Types.STRING))
                        .isInstanceOfSatisfying(BellmanException.class, e -> assertThat(e.code())
                                .isEqualTo(ErrorCode.BELLMAN_INTERNAL))
                        .hasMessageContaining("part of a column");
            } finally {
                Arrays.stream(halves).forEach(ColumnView::close);
            }
        }
    }

    /** cudf and Bellman must put work on the same stream; otherwise, results could be read before they are written. */
    @Test
    void sameStream() {
        assertThat(Cuda.isPtdsEnabled()).isTrue();
    }

    @Test
    void launchErrorsNameTheKernel() {
        Kernel kernel = CudaModule.load("columns/validity").kernel("and_validity");
        assertThatThrownBy(() -> kernel.grid(1).block(4096).launch(0L, 0L, 0L, 0L))
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("and_validity")
                .hasMessageContaining("CUDA_ERROR_INVALID_VALUE");
        assertThatThrownBy(() -> kernel.grid(1).sharedMemory(1 << 30).launch(0L, 0L, 0L, 0L))
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("of shared memory for the kernel and_validity");
        assertThatThrownBy(() -> kernel.grid(1).launch(0L, 0L, 0L, 0))
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("the kernel and_validity takes [u64, u64, u64, u64] but received");
        assertThatThrownBy(() -> CudaModule.load("columns/validity").kernel("no_such"))
                .hasMessageContaining("no_such");
        assertThatThrownBy(() -> CudaModule.load("columns/no_such")).hasMessageContaining("columns/no_such");
    }

    @Test
    void deviceFacts() {
        Device device = Device.current();
        Kernel kernel = CudaModule.load("columns/validity").kernel("and_validity");
        assertThat(device.major()).isEqualTo(Cuda.getComputeCapabilityMajor());
        assertThat(device.minor()).isEqualTo(Cuda.getComputeCapabilityMinor());
        assertThat(device.sharedMemoryPerBlock()).isGreaterThanOrEqualTo(48 << 10);
        assertThat(kernel.residentBlocks(256, 0)).isGreaterThanOrEqualTo(device.multiprocessors());
        assertThat(kernel.residentBlocks(256, 48 << 10)).isLessThan(kernel.residentBlocks(256, 0));
        assertThat(kernel.registers()).isPositive();
        assertThat(kernel.localMemory()).isZero();
    }

    @Test
    void timer() {
        try (ColumnVector argument = arguments();
                KernelTimer timer = KernelTimer.open()) {
            Batch.evaluate(new Distances(), Types.INT, 4, argument).close();
            Map<String, Double> times = timer.byKernel();
            assertThat(times).containsOnlyKeys("and_validity");
            assertThat(timer.milliseconds())
                    .isEqualTo(times.get("and_validity"))
                    .isPositive();
        }
        try (KernelTimer timer = KernelTimer.open()) {
            assertThat(timer.milliseconds()).isZero();
        }
    }
}
