package dev.bellman.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.StructData;
import ai.rapids.cudf.Rmm;
import com.nvidia.spark.rapids.jni.GpuRetryOOM;
import com.nvidia.spark.rapids.jni.RmmSpark;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.GpuSide;
import dev.bellman.GpuTest;
import dev.bellman.OnInvalid;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests instances of nested types: graphs as lists of structs, and matrices as lists of lists. */
class InstancesGpuTest extends GpuTest {
    private static final DataType EDGES = Types.list(Types.struct(Types.INT, Types.LONG));
    private static final DataType MATRIX = Types.list(Types.list(Types.DOUBLE));

    @SuppressWarnings("unchecked")
    private static <T> ColumnVector column(DataType type, List<List<T>> rows) {
        return ColumnVector.fromLists(type, rows.toArray(List[]::new));
    }

    private static StructData edge(Integer source, Long weight) {
        return new StructData(source, weight);
    }

    /** Returns the sum of the weights of a graph's edges, computed on the CPU. */
    private static Object sumOnCpu(FunctionOptions options, List<Object> arguments) {
        return options.answer(() -> {
            ArrayData edges = (ArrayData) arguments.get(0);
            long sum = 0;
            for (int i = 0; i < edges.numElements(); i++) {
                InternalRow edge = edges.isNullAt(i) ? null : edges.getStruct(i, 2);
                if (edge == null || edge.isNullAt(0) || edge.isNullAt(1) || edge.getLong(1) < 0) {
                    throw new BellmanException(
                            ErrorCode.BELLMAN_INPUT_VALUE, "edge %d (counted from 1) is wrong".formatted(i + 1));
                }
                sum += edge.getLong(1);
                if (sum < 0) {
                    throw new BellmanException(ErrorCode.BELLMAN_OVERFLOW, "the sum does not fit");
                }
            }
            if (edges.numElements() > 10_000) {
                throw new BellmanException(ErrorCode.BELLMAN_LIMIT, "more than 10000 edges");
            }
            options.cells().add(edges.numElements());
            return sum;
        });
    }

    /** Computes the sums of weights on the GPU. For the memory limit, an edge counts as 16 bytes. */
    private record Sums(FunctionOptions options) implements ColumnarKernel {
        @Override
        public Result evaluate(Batch batch) {
            CudaModule module = CudaModule.load("columns/nested");
            DeviceColumn edges = batch.column(0, EDGES);
            DeviceColumn source = edges.elements().field(0);
            DeviceColumn weight = edges.elements().field(1);
            int most = GpuMemory.ofSession().largest(1 << 28, size -> 16L * size);
            Instances instances = new Instances(
                    batch, options, InstancesGpuTest::sumOnCpu, 2, key -> most, rows -> module.kernel("graphs_classify")
                            .warps(batch.rows(), 128)
                            .launch(
                                    batch.rows(),
                                    batch.validity(),
                                    edges.offsets(),
                                    edges.elements().validity(),
                                    source.validity(),
                                    weight.values(),
                                    weight.validity(),
                                    rows));
            DeviceMemoryBuffer sums = batch.allocateLongs(batch.rows());
            for (Instances.Group group : instances.groups()) {
                assertThat(group.largest()).isGreaterThan(group.key() == 1 ? 3 : -1);
                module.kernel("graphs_sum")
                        .threads(group.count(), 128)
                        .launch(
                                instances.order().getAddress(),
                                group.from(),
                                group.to(),
                                edges.offsets(),
                                weight.values(),
                                sums.getAddress());
            }
            instances.rejectNegative(instances.groups(), sums);
            return Result.longs(sums);
        }
    }

    private static List<Long> sums(FunctionOptions options, List<List<StructData>> graphs) {
        try (ColumnVector edges = column(EDGES, graphs);
                ColumnVector result = Batch.evaluate(new Sums(options), Types.LONG, graphs.size(), edges);
                HostColumnVector host = result.copyToHost()) {
            List<Long> sums = new ArrayList<>();
            for (int row = 0; row < graphs.size(); row++) {
                sums.add(host.isNull(row) ? null : (Long) host.getLong(row));
            }
            return sums;
        }
    }

    /** Returns the CPU's result for each graph, solved separately; null if the graph is null or the CPU rejects it. */
    private static List<Long> expected(FunctionOptions options, List<List<StructData>> graphs) {
        List<Long> sums = new ArrayList<>();
        for (List<StructData> graph : graphs) {
            sums.add(graph == null ? null : (Long) sumOnCpu(options, List.of(onCpu(graph))));
        }
        return sums;
    }

    @SuppressWarnings("unchecked")
    private static Object onCpu(List<StructData> graph) {
        try (HostColumnVector one = HostColumnVector.fromLists(EDGES, graph)) {
            return HostValues.read(one, 0);
        }
    }

    private static List<List<StructData>> graphs(int count, boolean wrong) {
        Random random = new Random(count);
        List<List<StructData>> graphs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i % 11 == 5) {
                graphs.add(null);
                continue;
            }
            List<StructData> edges = new ArrayList<>();
            int size = i % 97 == 13 ? 200 + random.nextInt(300) : random.nextInt(9);
            for (int edge = 0; edge < size; edge++) {
                boolean bad = wrong && random.nextInt(40) == 0;
                long large = random.nextInt(50) == 0 ? Long.MAX_VALUE / 2 : 1_000;
                edges.add(
                        !bad
                                ? edge(edge, random.nextLong(wrong ? large : 1_000))
                                : switch (random.nextInt(4)) {
                                    case 0 -> null;
                                    case 1 -> edge(null, 1L);
                                    case 2 -> edge(1, null);
                                    default -> edge(1, -1L);
                                });
            }
            graphs.add(edges);
        }
        return graphs;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 1_000, 20_000})
    void sameAsOnCpu(int count) {
        AtomicLong onGpu = new AtomicLong();
        AtomicLong onCpu = new AtomicLong();
        List<List<StructData>> graphs = graphs(count, true);

        assertThat(sums(new FunctionOptions(OnInvalid.NULL, onGpu::addAndGet), graphs))
                .isEqualTo(expected(new FunctionOptions(OnInvalid.NULL, onCpu::addAndGet), graphs));
        assertThat(onGpu).hasValue(onCpu.get());
    }

    /**
     * Graphs of more than 64 edges are left to the CPU, which rejects the largest one. The cells of each graph are
     * counted once.
     */
    @Test
    void tooLargeForTheGpu() {
        AtomicLong onGpu = new AtomicLong();
        AtomicLong onCpu = new AtomicLong();
        List<List<StructData>> graphs = graphs(2_000, true);
        graphs.add(Collections.nCopies(20_000, edge(1, 1L)));
        List<Long> expected = expected(new FunctionOptions(OnInvalid.NULL, onCpu::addAndGet), graphs);
        withConf(GpuSide.MEMORY, "1k", () -> {
            assertThat(sums(new FunctionOptions(OnInvalid.NULL, onGpu::addAndGet), graphs))
                    .isEqualTo(expected);
        });
        assertThat(expected).last().isNull();
        assertThat(onGpu).hasValue(onCpu.get());
    }

    /**
     * A rejected row has the same message as on the CPU, whether the GPU rejects it before or after computing a result,
     * or leaves it to the CPU.
     */
    @Test
    void sameWords() {
        List<StructData> good = List.of(edge(1, 5L), edge(2, 6L));
        List<List<StructData>> bad = List.of(
                Arrays.asList(edge(1, 5L), null),
                List.of(edge(1, 5L), edge(null, 6L)),
                List.of(edge(1, -5L)),
                List.of(edge(1, Long.MAX_VALUE), edge(2, 1L)),
                Collections.nCopies(20_000, edge(1, 1L)));
        withConf(GpuSide.MEMORY, "1k", () -> {
            for (List<StructData> each : bad) {
                BellmanException expected = rejection(() -> sumOnCpu(FunctionOptions.DEFAULT, List.of(onCpu(each))));
                BellmanException actual =
                        rejection(() -> sums(FunctionOptions.DEFAULT, Arrays.asList(good, null, each, good)));
                assertThat(actual).hasMessage(expected.getMessage());
                assertThat(actual.code()).isEqualTo(expected.code());
            }
        });
    }

    private static BellmanException rejection(Runnable call) {
        try {
            call.run();
        } catch (BellmanException e) {
            return e;
        }
        throw new AssertionError("not rejected");
    }

    /** Whichever allocation fails, nothing remains allocated, and no cell is counted before the result exists. */
    @Test
    void outOfMemoryAnywhere() {
        AtomicLong cells = new AtomicLong();
        List<List<StructData>> graphs = graphs(200, true);
        FunctionOptions options = new FunctionOptions(OnInvalid.NULL, cells::addAndGet);
        AtomicLong once = new AtomicLong();
        expected(new FunctionOptions(OnInvalid.NULL, once::addAndGet), graphs);
        long thread = RmmSpark.getCurrentThreadId();
        RmmSpark.currentThreadIsDedicatedToTask(1);
        try (ColumnVector edges = column(EDGES, graphs)) {
            withConf(GpuSide.MEMORY, "1k", () -> {
                Batch.evaluate(new Sums(options), Types.LONG, graphs.size(), edges)
                        .close();
                cells.set(0);
                long before = Rmm.getTotalBytesAllocated();
                int failures = 0;
                for (boolean failed = true; failed; failures++) {
                    RmmSpark.forceRetryOOM(thread, 1, 2, failures);
                    try {
                        Batch.evaluate(new Sums(options), Types.LONG, graphs.size(), edges)
                                .close();
                        failed = false;
                    } catch (GpuRetryOOM expected) {
                        RmmSpark.blockThreadUntilReady();
                        assertThat(cells).hasValue(0);
                    }
                    assertThat(Rmm.getTotalBytesAllocated())
                            .as("after failure %d", failures)
                            .isEqualTo(before);
                }
                // the allocations are keys, sizes, cells, order, limits, counts, starts, sums, the mask, and the
                // columns of the rows that are left to the CPU
                assertThat(failures).isGreaterThan(10);
                assertThat(cells).hasValue(once.get());
            });
        } finally {
            RmmSpark.forceRetryOOM(thread, 0);
            RmmSpark.removeAllCurrentThreadAssociation();
            RmmSpark.taskDone(1);
        }
    }

    /** Computes the traces of square matrices. */
    private static final class Traces implements ColumnarKernel {
        @Override
        public Result evaluate(Batch batch) {
            CudaModule module = CudaModule.load("columns/nested");
            DeviceColumn lines = batch.column(0, MATRIX);
            DeviceColumn entries = lines.elements().elements();
            Instances instances = new Instances(
                    batch,
                    FunctionOptions.DEFAULT.with(OnInvalid.NULL),
                    (options, arguments) -> null,
                    1,
                    Instances.UNLIMITED,
                    rows -> module.kernel("matrices_classify")
                            .warps(batch.rows(), 128)
                            .launch(
                                    batch.rows(),
                                    batch.validity(),
                                    lines.offsets(),
                                    lines.elements().validity(),
                                    lines.elements().offsets(),
                                    entries.validity(),
                                    rows));
            DeviceMemoryBuffer traces = batch.allocateDoubles(batch.rows());
            int count =
                    instances.groups().stream().mapToInt(Instances.Group::count).sum();
            module.kernel("matrices_trace")
                    .threads(count, 128)
                    .launch(
                            instances.order().getAddress(),
                            count,
                            lines.offsets(),
                            lines.elements().offsets(),
                            entries.values(),
                            traces.getAddress());
            return Result.doubles(traces);
        }
    }

    @Test
    void matrices() {
        List<List<Double>> square = List.of(List.of(1.5, 2.0), List.of(3.0, 4.25));
        List<List<Double>> oblong = List.of(List.of(1.0, 2.0));
        List<List<Double>> hole = Arrays.asList(Arrays.asList(1.0, null), List.of(3.0, 4.0));
        List<List<Double>> noLine = Arrays.asList(List.of(1.0, 2.0), null);
        try (ColumnVector column = column(
                        MATRIX, Arrays.asList(square, oblong, null, hole, List.of(), noLine, List.of(List.of(-0.5))));
                ColumnVector result = Batch.evaluate(new Traces(), Types.DOUBLE, 7, column);
                HostColumnVector host = result.copyToHost()) {
            List<Object> traces = new ArrayList<>();
            for (int row = 0; row < 7; row++) {
                traces.add(host.isNull(row) ? null : (Object) host.getDouble(row));
            }
            assertThat(traces).containsExactly(5.75, null, null, null, 0.0, null, -0.5);
        }
    }

    @Test
    void otherTypesThanExpected() {
        DataType threeFields = Types.list(Types.struct(Types.LONG, Types.LONG, Types.LONG));
        try (ColumnVector edges = column(EDGES, List.of(List.of(edge(1, 1L))))) {
            assertThatThrownBy(() -> DeviceColumn.of(edges, threeFields)).hasMessageContaining("with 3 children");
            assertThatThrownBy(() -> DeviceColumn.of(edges, MATRIX))
                    .hasMessageContaining("expects a column of type LIST");
        }
    }
}
