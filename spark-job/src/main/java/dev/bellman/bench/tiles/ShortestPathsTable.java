package dev.bellman.bench.tiles;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.bench.measure.Stopwatch;
import dev.bellman.graph.ErrorContext;
import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTable;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.dense.IntDistances;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/**
 * Shortest paths, with 32-bit lengths, between all vertices of a random graph that has eight edges per vertex, with
 * weights from 1 to 1,000. The time of the Floyd-Warshall algorithm depends only on the number of vertices.
 */
final class ShortestPathsTable implements TableProblem {
    private static final int DEGREE = 8;

    /** The number of sources for which the distances are checked. */
    static final int CHECKED = 3;

    /** A random graph. */
    record Edges(int n, int[] sources, int[] targets, int[] weights) {
        static Edges random(int n, long seed) {
            Random random = new Random(seed * 31 + n);
            return new Edges(
                    n,
                    random.ints((long) n * DEGREE, 0, n).toArray(),
                    random.ints((long) n * DEGREE, 0, n).toArray(),
                    random.ints((long) n * DEGREE, 1, 1001).toArray());
        }

        /**
         * Computes the distances from a source with the Bellman-Ford algorithm, which relaxes edges until no path gets
         * shorter.
         */
        int[] from(int source) {
            int[] distances = new int[n];
            Arrays.fill(distances, IntDistances.UNREACHED);
            distances[source] = 0;
            boolean changed = true;
            while (changed) {
                changed = false;
                for (int e = 0; e < sources.length; e++) {
                    int length = distances[sources[e]] + weights[e];
                    if (length < distances[targets[e]]) {
                        distances[targets[e]] = length;
                        changed = true;
                    }
                }
            }
            return distances;
        }

        /** Returns a source whose distances are checked; the sources are numbered in ascending order. */
        int source(int number) {
            return (int) ((long) n * number / CHECKED);
        }

        void check(String strategy, IntBinaryOperator found) {
            for (int i = 0; i < CHECKED; i++) {
                int source = source(i);
                int[] expected = from(source);
                for (int to = 0; to < n; to++) {
                    int distance = found.applyAsInt(source, to);
                    if (to != source && distance != expected[to]) {
                        throw new BellmanException(
                                ErrorCode.BELLMAN_INTERNAL,
                                ("floyd-warshall with the strategy %s returns the distance %d from vertex %d to "
                                                + "vertex %d of %d, but the Bellman-Ford algorithm returns %d")
                                        .formatted(strategy, distance, source, to, n, expected[to]));
                    }
                }
            }
        }
    }

    static LargeTilesBenchmark.Instance<?> inLargeTiles(int n, long seed) {
        Edges edges = Edges.random(n, seed);
        long[] weights = Arrays.stream(edges.weights).asLongStream().toArray();
        return inLargeTiles(
                edges,
                PathTiles.of(
                        Graph.ofLongs(ErrorContext.ofFunction("bench"), n, edges.sources, edges.targets, weights),
                        false));
    }

    private static <T> LargeTilesBenchmark.Instance<T> inLargeTiles(Edges edges, PathTiles<T> tiles) {
        return new LargeTilesBenchmark.Instance<>() {
            @Override
            public String name() {
                return "floyd-warshall";
            }

            @Override
            public TiledProblem<T> tiles() {
                return tiles;
            }

            @Override
            public double operations() {
                return Math.pow(edges.n, 3);
            }

            @Override
            public T make(Tile tile) {
                return tiles.make(tile);
            }

            @Override
            public void check(int parts, LevelTable<T> table) {
                int edge = parts * tiles.edge();
                int[] sources = IntStream.range(0, CHECKED).map(edges::source).toArray();
                int[][] rows = new int[CHECKED][edges.n];
                List<Tile> needed = Arrays.stream(sources)
                        .map(source -> source / edge)
                        .distinct()
                        .boxed()
                        .flatMap(row ->
                                IntStream.range(0, Grid.tiles(edges.n, edge)).mapToObj(column -> new Tile(row, column)))
                        .toList();
                table.get(needed, (tile, content) -> {
                    int begin = tile.column() * edge;
                    int end = Math.min(edges.n, begin + edge);
                    PathTable paths =
                            tiles.paths(place -> content.get(place.row() % parts, place.column() % parts), begin, end);
                    for (int number = 0; number < CHECKED; number++) {
                        int source = sources[number];
                        for (int to = begin; source / edge == tile.row() && to < end; to++) {
                            rows[number][to] =
                                    paths.reaches(source, to) ? (int) paths.length(source, to) : IntDistances.UNREACHED;
                        }
                    }
                });
                edges.check("large tiles", (source, to) -> rows[Arrays.binarySearch(sources, source)][to]);
            }
        };
    }

    @Override
    public String name() {
        return "floyd-warshall";
    }

    @Override
    public double operations(int n) {
        return Math.pow(n, 3);
    }

    @Override
    public List<String> gpuStrategies() {
        return List.of("blocked", "r-way", "2-way");
    }

    @Override
    public List<String> cpuStrategies() {
        return List.of("blocked", "2-way");
    }

    @Override
    public String recursion() {
        return "2-way";
    }

    @Override
    public int cpuThreads() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public boolean fitsGpu(int n) {
        return GpuSide.get(GpuPaths.class).fits(n);
    }

    @Override
    public double gpuSeconds(int n, String strategy, long seed) {
        return GpuSide.get(GpuPaths.class).seconds(Edges.random(n, seed), strategy);
    }

    @Override
    public double cpuSeconds(int n, String strategy, int threads, long seed) {
        Edges edges = Edges.random(n, seed);
        IntDistances table = new IntDistances(n);
        for (int e = 0; e < edges.weights.length; e++) {
            int before = table.get(edges.sources[e], edges.targets[e]);
            table.set(edges.sources[e], edges.targets[e], Math.min(before, edges.weights[e]));
        }
        Schedule schedule = strategy.equals("blocked") ? Schedule.blocked(table.side()) : Schedule.twoWay(table.side());
        double seconds = Stopwatch.seconds(() -> table.solve(schedule, threads));
        edges.check(strategy, table::get);
        return seconds;
    }
}
