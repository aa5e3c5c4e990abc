package dev.bellman.graph;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.graph.dense.Distances;
import dev.bellman.graph.dense.DistancesOnGpu;
import dev.bellman.graph.dense.DistancesOnGpu.Cell;
import dev.bellman.tiles.Schedule;
import java.util.Arrays;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/**
 * The table of one graph in the memory of a GPU, which solves it with all of its multiprocessors ({@link DistancesOnGpu}). The host reads bands of
 * rows as they are asked for, and never holds the whole table; rows are best asked for in ascending order. The same paths as in the heap, bit for
 * bit.
 */
final class PathsOnGpu extends CellPaths {
    /** Bytes of a band, unless a row takes more. */
    private static final long BAND = 32L << 20;

    private final Cell cell;
    private final DistancesOnGpu table;
    private final HostMemoryBuffer band;
    /** The rows of the band: from {@code first} to {@code end - 1}. */
    private int first;

    private int end;

    private PathsOnGpu(Graph graph, boolean next) {
        super(type(graph, next), bits(graph, next));
        cell = type(graph, next);
        table = new DistancesOnGpu(cell, bits(graph, next), graph.nodes);
        try {
            band = HostMemoryBuffer.allocate(Math.max(BAND, rowBytes()));
        } catch (Throwable e) {
            table.close();
            throw e;
        }
    }

    /** The bytes that a table on the GPU may take. */
    static long memory() {
        useDeviceOfTask();
        return GpuMemory.ofSession().perInstance();
    }

    /** Bytes on the GPU for a graph whose lengths, or keys, fit 64 bits; infinity if it has too many vertices for any. */
    static double bytes(Graph graph, Strategy strategy, boolean next) {
        if (graph.nodes > DistancesOnGpu.mostVertices()) {
            return Double.POSITIVE_INFINITY;
        }
        // the recursion keeps two more tables of this size
        double copies = strategy == Strategy.R_WAY ? 3 : 1;
        return copies * DistancesOnGpu.bytes(type(graph, next), graph.nodes);
    }

    /**
     * Solves a graph whose lengths, or keys, fit 64 bits.
     *
     * @param strategy {@link Strategy#R_WAY}, or any other for rounds in one launch
     * @return the paths, to be closed. Next vertices for DOUBLE are found on the CPU, from the table in the heap
     * @throws dev.bellman.BellmanException {@link dev.bellman.ErrorCode#BELLMAN_INPUT_VALUE} if there is a negative cycle
     */
    static PathTable solve(Graph graph, Strategy strategy, boolean next) {
        useDeviceOfTask();
        PathsOnGpu paths = new PathsOnGpu(graph, next);
        try {
            paths.solve(graph, strategy);
        } catch (Throwable e) {
            paths.close();
            throw e;
        }
        return next && graph.longs == null ? paths.intoHeap(graph) : paths;
    }

    private void solve(Graph graph, Strategy strategy) {
        if (graph.nodes > 0) {
            addEdges(graph);
            int negative = strategy == Strategy.R_WAY ? table.solve(Schedule.twoWay(table.side())) : table.solve();
            if (negative != Distances.NONE) {
                throw graph.negativeCycle(negative);
            }
        }
    }

    /** DOUBLE lengths in the heap, with next vertices. */
    private DoublePaths intoHeap(Graph graph) {
        double[][] lengths = new double[graph.nodes][graph.nodes];
        try (this) {
            for (int i = 0; i < lengths.length; i++) {
                for (int j = 0; j < lengths.length; j++) {
                    lengths[i][j] = Double.longBitsToDouble(length(i, j));
                }
            }
        }
        return new DoublePaths(graph, (from, to) -> lengths[from][to], true);
    }

    /** RAPIDS gives a task's thread its GPU when a query of RAPIDS runs there; this is none. */
    private static void useDeviceOfTask() {
        TaskContext task = TaskContext.get();
        if (task != null) {
            ResourceInformation gpu = task.resourcesJMap().get("gpu");
            if (gpu != null) {
                Cuda.setDevice(Integer.parseInt(gpu.addresses()[0]));
            }
        }
    }

    private void addEdges(Graph graph) {
        int[] sources = new int[graph.edges()];
        for (int i = 0; i < graph.nodes; i++) {
            Arrays.fill(sources, graph.starts[i], graph.starts[i + 1], i);
        }
        int count = sources.length;
        long[] weights = graph.longs != null
                ? graph.longs
                : Arrays.stream(graph.doubles)
                        .mapToLong(Double::doubleToRawLongBits)
                        .toArray();
        try (Scratch scratch = new Scratch()) {
            table.add(
                    count,
                    DeviceArrays.writeInts(scratch, sources).getAddress(),
                    DeviceArrays.writeInts(scratch, Arrays.copyOf(graph.targets, count))
                            .getAddress(),
                    DeviceArrays.writeLongs(scratch, Arrays.copyOf(weights, count))
                            .getAddress());
        }
    }

    private long rowBytes() {
        return (long) table.pitch() * cell.bytes();
    }

    private long at(int from, int to) {
        if (from < first || from >= end) {
            first = from;
            end = (int) Math.min(table.pitch(), from + Math.max(1, BAND / rowBytes()));
            try (DeviceMemoryBuffer rows = table.table().slice(first * rowBytes(), (end - first) * rowBytes())) {
                band.copyFromDeviceBuffer(rows);
            }
        }
        return (from - first) * rowBytes() + (long) to * cell.bytes();
    }

    @Override
    long value(int from, int to) {
        return cell == Cell.INT32 ? band.getInt(at(from, to)) : band.getLong(at(from, to));
    }

    @Override
    public void close() {
        band.close();
        table.close();
    }
}
