package dev.bellman.graph;

import dev.bellman.graph.dense.Distances;
import dev.bellman.graph.dense.DoubleDistances;
import dev.bellman.graph.dense.IntDistances;
import dev.bellman.graph.dense.LongDistances;
import dev.bellman.tiles.Schedule;
import java.util.function.IntFunction;

/** Floyd and Warshall's algorithm for {@link ShortestPaths} on tiles, in the order of a schedule. */
final class TiledPaths {
    /** Makes a schedule for a number of tiles per side. */
    private final IntFunction<Schedule> schedule;

    private final Graph graph;
    private final int threads;

    /** @param schedule for a number of tiles a side */
    TiledPaths(Graph graph, IntFunction<Schedule> schedule, int threads) {
        this.graph = graph;
        this.schedule = schedule;
        this.threads = threads;
    }

    /** The paths of a graph whose lengths, or keys, fit 64 bits. */
    PathTable solve(boolean next) {
        if (graph.longs == null) {
            return doubles(next);
        }
        return hasInts(graph, next) ? ints() : longs(next);
    }

    /** Whether {@code int} suffices for a table. */
    static boolean hasInts(Graph graph, boolean next) {
        return !next && LongTable.bound(graph, false) < IntDistances.UNREACHED / 2;
    }

    /** Where the cells are. */
    @FunctionalInterface
    interface Cells {
        long of(int from, int to);
    }

    private void run(Distances<?> table) {
        if (graph.nodes > 0) {
            int negative = table.solve(schedule.apply(table.side()), threads);
            if (negative != Distances.NONE) {
                throw graph.negativeCycle(negative);
            }
        }
    }

    private PathTable ints() {
        IntDistances table = new IntDistances(graph.nodes);
        for (int i = 0; i < graph.nodes; i++) {
            table.set(i, i, 0);
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                table.set(i, graph.targets[e], (int) graph.longs[e]);
            }
        }
        run(table);
        return ofInts(table::get);
    }

    /** With keys, the cells (k, k) are left out and become those of cycles. */
    private PathTable longs(boolean next) {
        int bits = next ? LongTable.bits(graph.nodes) : 0;
        LongDistances table = new LongDistances(graph.nodes, bits);
        for (int i = 0; i < graph.nodes; i++) {
            if (!next) {
                table.set(i, i, 0);
            }
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                table.set(i, graph.targets[e], LongTable.ofEdge(graph, e, bits));
            }
        }
        run(table);
        return ofLongs(bits, table::get);
    }

    /** The paths in a table of {@link IntDistances}. */
    static PathTable ofInts(Cells cells) {
        return new PathTable() {
            @Override
            public boolean reaches(int from, int to) {
                return IntDistances.reaches((int) cells.of(from, to));
            }

            @Override
            public long length(int from, int to) {
                return cells.of(from, to);
            }

            @Override
            public int next(int from, int to) {
                throw new IllegalStateException("a table of lengths");
            }

            @Override
            public int edges(int from, int to) {
                throw new IllegalStateException("a table of lengths");
            }
        };
    }

    /** The paths in a table of {@link LongDistances}, of lengths or keys. */
    static PathTable ofLongs(int bits, Cells cells) {
        return new PathTable() {
            private long cell(int from, int to) {
                return from == to ? 0 : cells.of(from, to);
            }

            @Override
            public boolean reaches(int from, int to) {
                return LongDistances.reaches(cell(from, to));
            }

            @Override
            public long length(int from, int to) {
                return cell(from, to) >> 2 * bits;
            }

            @Override
            public int next(int from, int to) {
                return from == to || !reaches(from, to) ? NONE : (int) (cell(from, to) & (1L << bits) - 1);
            }

            @Override
            public int edges(int from, int to) {
                return (int) (cell(from, to) >> bits & (1L << bits) - 1);
            }
        };
    }

    private PathTable doubles(boolean next) {
        DoubleDistances table = new DoubleDistances(graph.nodes);
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
