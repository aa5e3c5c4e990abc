package dev.bellman.graph;

import dev.bellman.graph.dense.Cell;
import dev.bellman.graph.dense.Distances;
import dev.bellman.graph.dense.DoubleDistances;
import dev.bellman.graph.dense.IntDistances;
import dev.bellman.graph.dense.LongDistances;
import dev.bellman.large.tiles.Schedule;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/** Runs the Floyd-Warshall algorithm for {@link ShortestPaths} on tiles, in the order that a schedule defines. */
final class TiledPaths {
    /** Creates the schedule for a number of tiles per side. */
    private final IntFunction<Schedule> schedule;

    private final Graph graph;
    /** The order of the vertices; null for ascending vertex numbers. */
    private final TileOrder order;

    private final int threads;
    /** Receives the number of relaxations of each completed wave. */
    private final LongConsumer done;

    private TiledPaths(Graph graph, TileOrder order, IntFunction<Schedule> schedule, int threads, LongConsumer done) {
        this.graph = graph;
        this.order = order;
        this.schedule = schedule;
        this.threads = threads;
        this.done = done;
    }

    /** @param schedule creates the schedule for a number of tiles per side */
    TiledPaths(Graph graph, IntFunction<Schedule> schedule, int threads, LongConsumer done) {
        this(graph, null, schedule, threads, done);
    }

    /** Creates a table that is computed in rounds. For a sparse graph, the rounds skip empty tiles. */
    static TiledPaths blocked(Graph graph, TileOrder order, int threads, LongConsumer done) {
        return new TiledPaths(
                graph,
                order,
                side -> order == null ? Schedule.blocked(side) : Schedule.blocked(order.fill()),
                threads,
                done);
    }

    /** Returns the paths of a graph whose lengths or keys fit in 64 bits. */
    PathTable solve(boolean next) {
        return switch (CellPaths.type(graph, next)) {
            case INT32 -> ints();
            case INT64 -> longs(next);
            case DOUBLE -> doubles(next);
        };
    }

    /** Provides access to the cells of the table, which are in tiles. */
    @FunctionalInterface
    private interface Cells {
        long of(int from, int to);
    }

    private void run(Distances<?> table) {
        if (graph.nodes > 0) {
            int negative = table.solve(schedule.apply(table.side()), threads, done);
            if (negative != Distances.NONE) {
                throw graph.negativeCycle(order == null ? negative : order.vertex(negative));
            }
        }
    }

    /** Returns the row and column of a vertex in the table. */
    private int place(int vertex) {
        return order == null ? vertex : order.place(vertex);
    }

    private PathTable ints() {
        IntDistances table = new IntDistances(graph.nodes);
        for (int i = 0; i < graph.nodes; i++) {
            table.set(i, i, 0);
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                table.set(place(i), place(graph.targets[e]), (int) graph.longs[e]);
            }
        }
        run(table);
        return paths(Cell.INT32, 0, table::get);
    }

    /**
     * Finds the paths of a graph with integer weights. With keys, the cells (k, k) are not set initially, so that they
     * become the keys of cycles.
     */
    private PathTable longs(boolean next) {
        int bits = CellPaths.bits(graph, next);
        LongDistances table = new LongDistances(graph.nodes, bits);
        for (int i = 0; i < graph.nodes; i++) {
            if (!next) {
                table.set(i, i, 0);
            }
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                table.set(place(i), place(graph.targets[e]), LongTable.ofEdge(graph, e, bits));
            }
        }
        run(table);
        return paths(Cell.INT64, bits, table::get);
    }

    private PathTable paths(Cell type, int bits, Cells cells) {
        return new CellPaths(type, bits) {
            @Override
            long value(int from, int to) {
                return cells.of(place(from), place(to));
            }
        };
    }

    private PathTable doubles(boolean next) {
        DoubleDistances table = new DoubleDistances(graph.nodes, graph.margin());
        for (int i = 0; i < graph.nodes; i++) {
            table.set(i, i, 0);
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                table.set(i, graph.targets[e], graph.doubles[e]);
            }
        }
        run(table);
        return new DoublePaths(graph, table::get, next);
    }
}
