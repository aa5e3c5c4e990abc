package dev.bellman.graph;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.TaskGpu;
import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.graph.dense.Cell;
import dev.bellman.graph.dense.Distances;
import dev.bellman.graph.dense.DistancesOnGpu;
import dev.bellman.large.tiles.Schedule;

/**
 * The table of one graph in GPU memory, which the GPU computes with all of its multiprocessors
 * ({@link DistancesOnGpu}). The host reads bands of rows on demand; reading the rows in ascending order is fastest. The
 * paths are bit-for-bit the same as those that are computed in the heap.
 */
final class PathsOnGpu extends CellPaths {
    /** The maximum size of a band in bytes, unless a single row is larger. */
    private static final long BAND = 32L << 20;

    private final Cell cell;
    /** The order of the vertices; null if they are ordered by their numbers. */
    private final TileOrder order;

    private final DistancesOnGpu table;
    private final HostMemoryBuffer band;
    /** The first row of the band; the last one is {@code end - 1}. */
    private int first;

    private int end;

    private PathsOnGpu(Graph graph, TileOrder order, boolean next) {
        super(type(graph, next), bits(graph, next));
        this.order = order;
        cell = type(graph, next);
        table = new DistancesOnGpu(cell, bits(graph, next), graph.nodes);
        try {
            band = HostMemoryBuffer.allocate(Math.max(BAND, rowBytes()));
        } catch (Throwable e) {
            table.close();
            throw e;
        }
    }

    /**
     * Returns the number of bytes that a graph whose lengths or keys fit in 64 bits takes on the GPU; infinity if the
     * graph has more vertices than {@link DistancesOnGpu#maxVertices}.
     */
    static double bytes(Graph graph, Strategy strategy, boolean next) {
        if (graph.nodes > DistancesOnGpu.maxVertices()) {
            return Double.POSITIVE_INFINITY;
        }
        // the recursion needs two more tables of this size
        double copies = strategy == Strategy.R_WAY ? 3 : 1;
        return copies * DistancesOnGpu.bytes(type(graph, next), graph.nodes);
    }

    /**
     * Solves a graph whose lengths or keys fit in 64 bits.
     *
     * @param plan the plan. With {@link Strategy#R_WAY}, the GPU uses the recursion. With any other strategy, it uses
     *     rounds that skip empty tiles if the plan has an order, and otherwise rounds in a single launch
     * @return the paths, which the caller must close; if next vertices are requested for DOUBLE weights, the CPU finds
     *     them from the lengths in the heap
     * @throws dev.bellman.BellmanException {@link dev.bellman.ErrorCode#BELLMAN_INPUT_VALUE} if there is a negative
     *     cycle
     */
    static PathTable solve(Graph graph, ShortestPaths.Plan plan, boolean next) {
        TaskGpu.use();
        PathsOnGpu paths = new PathsOnGpu(graph, plan.order(), next);
        try {
            paths.solve(graph, plan.strategy(), bits(graph, next));
        } catch (Throwable e) {
            paths.close();
            throw e;
        }
        return next && graph.longs == null ? paths.intoHeap(graph) : paths;
    }

    private void solve(Graph graph, Strategy strategy, int bits) {
        if (graph.nodes > 0) {
            addEdges(graph, bits);
            int negative;
            if (order != null) {
                negative = table.solve(order.fill());
            } else {
                negative = strategy == Strategy.R_WAY ? table.solve(Schedule.twoWay(table.side())) : table.solve();
            }
            if (negative != Distances.NONE) {
                throw graph.negativeCycle(order == null ? negative : order.vertex(negative));
            }
        }
    }

    /** Returns the index of a vertex's row and column in the table. */
    private int place(int vertex) {
        return order == null ? vertex : order.place(vertex);
    }

    /** Copies DOUBLE lengths to the heap and finds the next vertices. */
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

    private void addEdges(Graph graph, int bits) {
        int count = graph.edges();
        int[] rows = new int[count];
        int[] columns = new int[count];
        long[] cells = new long[count];
        for (int i = 0; i < graph.nodes; i++) {
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                rows[e] = place(i);
                columns[e] = place(graph.targets[e]);
                cells[e] = graph.longs == null
                        ? Double.doubleToRawLongBits(graph.doubles[e])
                        : LongTable.ofEdge(graph, e, bits);
            }
        }
        try (Scratch scratch = new Scratch()) {
            table.addCells(
                    count,
                    DeviceArrays.writeInts(scratch, rows).getAddress(),
                    DeviceArrays.writeInts(scratch, columns).getAddress(),
                    DeviceArrays.writeLongs(scratch, cells).getAddress());
        }
    }

    private long rowBytes() {
        return (long) table.pitch() * cell.bytes();
    }

    private long at(int from, int to) {
        if (from < first || from >= end) {
            first = from;
            // if the table has a different order, the next rows are not the rows of the next vertices
            end = order == null ? (int) Math.min(table.pitch(), from + Math.max(1, BAND / rowBytes())) : from + 1;
            try (DeviceMemoryBuffer rows = table.table().slice(first * rowBytes(), (end - first) * rowBytes())) {
                band.copyFromDeviceBuffer(rows);
            }
        }
        return (from - first) * rowBytes() + (long) to * cell.bytes();
    }

    @Override
    long value(int from, int to) {
        long at = at(place(from), place(to));
        return cell == Cell.INT32 ? band.getInt(at) : band.getLong(at);
    }

    @Override
    public void close() {
        band.close();
        table.close();
    }
}
