package dev.bellman.graph.dense;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.GpuTest;
import dev.bellman.large.tiles.Schedule;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the tables with those of the CPU, bit for bit. */
class DistancesGpuTest extends GpuTest {
    private record Edges(int[] sources, int[] targets, long[] weights) {
        /**
         * Returns edges, some of which are parallel. No cycle is negative, because each weight is a difference of
         * heights plus a nonnegative number.
         */
        static Edges random(int n, int count, Random random) {
            long[] heights = random.longs(n, 0, 1000).toArray();
            int[] sources = random.ints(count, 0, n).toArray();
            int[] targets = random.ints(count, 0, n).toArray();
            long[] weights = IntStream.range(0, count)
                    .mapToLong(e -> heights[targets[e]] - heights[sources[e]] + random.nextInt(500))
                    .toArray();
            return new Edges(sources, targets, weights);
        }

        int count() {
            return sources.length;
        }

        /** Returns the weight of an edge as a DOUBLE; sums of such weights are rounded. */
        double weight(int edge) {
            return weights[edge] == 0 ? -0.0 : weights[edge] / 3.0;
        }

        /** Returns the key of an edge on the CPU. */
        long key(int edge, int bits) {
            return bits == 0 ? weights[edge] : (((weights[edge] << bits) + 1) << bits) + targets[edge];
        }
    }

    /**
     * Returns the cells that the GPU computes, as bits; empty if there is a negative cycle, whose vertex must be the
     * expected one.
     */
    private static Optional<long[][]> onGpu(
            Cell cell, int bits, int n, Edges edges, Optional<Schedule> schedule, int negative) {
        try (ColumnVector sources = ColumnVector.fromInts(edges.sources);
                ColumnVector targets = ColumnVector.fromInts(edges.targets);
                ColumnVector weights = cell == Cell.DOUBLE
                        ? ColumnVector.fromDoubles(IntStream.range(0, edges.count())
                                .mapToDouble(edges::weight)
                                .toArray())
                        : ColumnVector.fromLongs(edges.weights);
                DistancesOnGpu distances = new DistancesOnGpu(cell, bits, n)) {
            distances.add(
                    edges.count(),
                    sources.getData().getAddress(),
                    targets.getData().getAddress(),
                    weights.getData().getAddress());
            int vertex = schedule.isPresent() ? distances.solve(schedule.get()) : distances.solve();
            assertThat(vertex).isEqualTo(negative);
            return negative == Distances.NONE ? Optional.of(read(cell, n, distances)) : Optional.empty();
        }
    }

    private static long[][] read(Cell cell, int n, DistancesOnGpu distances) {
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(distances.table().getLength())) {
            host.copyFromDeviceBuffer(distances.table());
            long[][] cells = new long[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    long at = ((long) i * distances.pitch() + j) * cell.bytes();
                    cells[i][j] = cell == Cell.INT32 ? host.getInt(at) : host.getLong(at);
                }
            }
            return cells;
        }
    }

    private static Stream<Optional<Schedule>> schedules(int n) {
        int side = (n + 127) / 128;
        return Stream.of(
                Optional.empty(),
                Optional.of(Schedule.blocked(side)),
                Optional.of(Schedule.twoWay(side)),
                Optional.of(Schedule.rWay(3, (side + 2) / 3)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 127, 128, 129, 256, 257, 700})
    void sameAsOnCpu(int n) {
        Edges edges = Edges.random(n, 3 * n, new Random(n));
        int bits = 11;
        IntDistances ints = new IntDistances(n);
        LongDistances keys = new LongDistances(n, bits);
        double least = IntStream.range(0, edges.count())
                .mapToDouble(edges::weight)
                .min()
                .orElseThrow();
        DoubleDistances doubles = new DoubleDistances(n, DoubleDistances.margin(n, least));
        for (int v = 0; v < n; v++) {
            doubles.set(v, v, 0);
        }
        for (int e = 0; e < edges.count(); e++) {
            int from = edges.sources[e];
            int to = edges.targets[e];
            ints.set(from, to, (int) Math.min(ints.get(from, to), edges.weights[e]));
            keys.set(from, to, Math.min(keys.get(from, to), edges.key(e, bits)));
            doubles.set(from, to, Math.min(doubles.get(from, to), edges.weight(e)));
        }
        Schedule schedule = Schedule.blocked(ints.side());
        ints.solve(schedule, 2);
        keys.solve(schedule, 2);
        doubles.solve(schedule, 2);
        schedules(n).forEach(order -> {
            long[][] intCells =
                    onGpu(Cell.INT32, 0, n, edges, order, Distances.NONE).orElseThrow();
            long[][] longCells =
                    onGpu(Cell.INT64, 0, n, edges, order, Distances.NONE).orElseThrow();
            long[][] keyCells =
                    onGpu(Cell.INT64, bits, n, edges, order, Distances.NONE).orElseThrow();
            long[][] doubleCells =
                    onGpu(Cell.DOUBLE, 0, n, edges, order, Distances.NONE).orElseThrow();
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    boolean reached = IntDistances.reaches(ints.get(i, j));
                    boolean same = IntDistances.reaches((int) intCells[i][j]) == reached
                            && LongDistances.reaches(longCells[i][j]) == reached
                            && LongDistances.reaches(keyCells[i][j]) == reached
                            && doubleCells[i][j] == Double.doubleToRawLongBits(doubles.get(i, j));
                    if (same && reached) {
                        same = intCells[i][j] == ints.get(i, j)
                                && longCells[i][j] == ints.get(i, j)
                                && keyCells[i][j] == keys.get(i, j);
                    }
                    if (!same) {
                        fail(
                                "%d to %d: %d, %d, key %d, %x for %d, key %d, %s",
                                i,
                                j,
                                intCells[i][j],
                                longCells[i][j],
                                keyCells[i][j],
                                doubleCells[i][j],
                                ints.get(i, j),
                                keys.get(i, j),
                                doubles.get(i, j));
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 400})
    void negativeCycle(int last) {
        int n = 500;
        // a cycle through the vertices up to `last`, and a second one through later vertices
        int[] sources = IntStream.concat(IntStream.rangeClosed(0, last), IntStream.of(n - 1, n - 2))
                .toArray();
        int[] targets = IntStream.concat(
                        IntStream.rangeClosed(0, last).map(i -> i == last ? 0 : i + 1), IntStream.of(n - 2, n - 1))
                .toArray();
        long[] weights = IntStream.concat(
                        IntStream.rangeClosed(0, last).map(i -> i == last ? -last - 1 : 1), IntStream.of(-1, -1))
                .asLongStream()
                .toArray();
        Edges edges = new Edges(sources, targets, weights);
        for (Cell cell : Cell.values()) {
            schedules(n).forEach(order -> onGpu(cell, 0, n, edges, order, last));
        }
    }
}
