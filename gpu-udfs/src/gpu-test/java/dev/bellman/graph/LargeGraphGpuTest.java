package dev.bellman.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.bellman.GpuTest;
import dev.bellman.graph.ShortestPaths.Machine;
import dev.bellman.graph.ShortestPaths.Plan;
import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the table of a single graph on the GPU, computed as in a job, with the table in the heap. */
class LargeGraphGpuTest extends GpuTest {
    private enum Weights {
        /** A cell without a next vertex takes 32 bits. */
        SMALL,
        /** A cell takes 64 bits even without a next vertex. */
        LARGE,
        DOUBLE
    }

    /**
     * Returns a graph in which some edges are parallel, and some vertices are unreachable. No cycle is negative: an
     * integer weight is a difference of heights plus a nonnegative number, and a DOUBLE weight is nonnegative.
     */
    private static Graph random(int n, Weights weights, SplittableRandom random) {
        int count = 3 * n;
        long scale = weights == Weights.LARGE ? 1L << 20 : 1;
        long[] heights = random.longs(n, 0, 1000).toArray();
        int[] sources = random.ints(count, 0, n).toArray();
        int[] targets = random.ints(count, 0, n).toArray();
        long[] longs = IntStream.range(0, count)
                .mapToLong(e -> scale * (heights[targets[e]] - heights[sources[e]] + random.nextInt(50)))
                .toArray();
        ErrorContext context = ErrorContext.ofFunction("f");
        return weights == Weights.DOUBLE
                ? Graph.ofDoubles(
                        context,
                        n,
                        sources,
                        targets,
                        // the differences of heights would be rounded, and cycles could become negative
                        IntStream.range(0, count)
                                .mapToDouble(e -> Math.floorMod(longs[e], 1000) / 3.0)
                                .toArray())
                : Graph.ofLongs(context, n, sources, targets, longs);
    }

    private static Plan plan(Graph graph, Strategy strategy, boolean next) {
        return ShortestPaths.plan(
                graph,
                strategy,
                graph.nodes,
                next,
                new Machine(Long.MAX_VALUE, false, ShortestPaths.gpuMemory(), 1, 1),
                true);
    }

    @ParameterizedTest
    @EnumSource(Weights.class)
    void asInTheHeap(Weights weights) {
        SplittableRandom random = new SplittableRandom(14);
        for (int n : new int[] {1, 2, 127, 128, 129, 700}) {
            Graph graph = random(n, weights, random);
            for (boolean next : new boolean[] {false, true}) {
                for (Strategy strategy : new Strategy[] {Strategy.AUTO, Strategy.R_WAY}) {
                    Plan plan = plan(graph, strategy, next);
                    assertThat(plan.onGpu()).isTrue();
                    try (PathTable onGpu = ShortestPaths.solve(graph, plan, next);
                            PathTable inHeap = ShortestPaths.solve(graph, Strategy.FLOYD_WARSHALL, next)) {
                        compare(n, next, onGpu, inHeap);
                    }
                }
            }
        }
    }

    /** Tests a table that consists of several bands. */
    @Test
    void bands() {
        Graph graph = random(3_000, Weights.SMALL, new SplittableRandom(3));
        try (PathTable onGpu = ShortestPaths.solve(graph, plan(graph, Strategy.AUTO, true), true);
                PathTable inHeap = ShortestPaths.solve(graph, Strategy.JOHNSON, true)) {
            compare(3_000, true, onGpu, inHeap);
        }
    }

    /**
     * In a grid with diagonals whose vertices are numbered at random, the empty tiles of the reordered table are
     * omitted.
     */
    @ParameterizedTest
    @EnumSource(
            value = Weights.class,
            names = {"SMALL", "LARGE"})
    void sparseTables(Weights weights) {
        int side = 40;
        SplittableRandom random = new SplittableRandom(20);
        int n = side * side;
        int[] numbers = IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparing(v -> (v * 7919L) % 1601))
                .mapToInt(v -> v)
                .toArray();
        long scale = weights == Weights.LARGE ? 1L << 16 : 1;
        long[] heights = random.longs(n, 0, 1000).toArray();
        int[][] edges = IntStream.range(0, 4 * n)
                .mapToObj(e -> new int[] {e / 4, e / 4 + new int[] {1, -1, side + 1, -side}[e % 4]})
                .filter(e -> e[1] >= 0 && e[1] < n)
                .toArray(int[][]::new);
        Graph graph = Graph.ofLongs(
                ErrorContext.ofFunction("f"),
                n,
                Arrays.stream(edges).mapToInt(e -> numbers[e[0]]).toArray(),
                Arrays.stream(edges).mapToInt(e -> numbers[e[1]]).toArray(),
                Arrays.stream(edges)
                        .mapToLong(e -> scale * (heights[e[1]] - heights[e[0]] + random.nextInt(3)))
                        .toArray());
        for (boolean next : new boolean[] {false, true}) {
            Plan plan = plan(graph, Strategy.BLOCKED, next);
            assertThat(plan.onGpu()).isTrue();
            assertThat(plan.order()).isNotNull();
            try (PathTable onGpu = ShortestPaths.solve(graph, plan, next);
                    PathTable inHeap = ShortestPaths.solve(graph, Strategy.JOHNSON, next)) {
                compare(n, next, onGpu, inHeap);
            }
        }
    }

    private static void compare(int n, boolean next, PathTable onGpu, PathTable inHeap) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                boolean reached = inHeap.reaches(i, j);
                boolean same = onGpu.reaches(i, j) == reached;
                if (same && reached) {
                    same = onGpu.length(i, j) == inHeap.length(i, j);
                }
                if (same && next) {
                    same = onGpu.next(i, j) == inHeap.next(i, j)
                            && (!reached || onGpu.edges(i, j) == inHeap.edges(i, j));
                }
                if (!same) {
                    fail("%d vertices, next %s: the path from %d to %d differs", n, next, i, j);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void negativeCycleIsNamed(boolean next) {
        Graph graph = Graph.ofLongs(
                ErrorContext.ofFunction("f"), 400, new int[] {0, 7, 300, 9}, new int[] {7, 300, 9, 7}, new long[] {
                    1, 2, 3, -6
                });

        assertThatThrownBy(() -> ShortestPaths.solve(graph, plan(graph, Strategy.AUTO, next), next))
                .hasMessageContaining("vertex 300 is on a cycle of negative weight");
    }

    @Test
    void noVertices() {
        Graph graph = Graph.ofLongs(ErrorContext.ofFunction("f"), 0, new int[0], new int[0], new long[0]);
        Plan plan = plan(graph, Strategy.AUTO, false);

        assertThat(plan.onGpu()).isTrue();
        assertThatCode(() -> ShortestPaths.solve(graph, plan, false).close()).doesNotThrowAnyException();
    }

    /**
     * Tests large tiles, only some of which fit in the memory of the GPU and its host. With 700 vertices, the tiles at
     * the end are smaller; with 520, a large tile has a single row of tiles.
     *
     * @param parts the number of tiles per side of a large tile
     */
    @ParameterizedTest
    @CsvSource({"700, 1, 3, 1", "700, 1, 5, 4", "520, 2, 3, 8", "1100, 2, 9, 2", "256, 1, 8, 8", "1100, 4, 3, 2"})
    void inLargeTiles(int n, int parts, int onGpu, int onHost, @TempDir Path folder) {
        for (Weights weights : Weights.values()) {
            Graph graph = random(n, weights, new SplittableRandom(n));
            for (boolean next : new boolean[] {false, true}) {
                if (PathTiles.fits(graph, next)) {
                    Path files = folder.resolve(weights + "-" + next);
                    inLargeTiles(graph, next, PathTiles.of(graph, next), parts, onGpu, onHost, files);
                }
            }
        }
    }

    private static <T> void inLargeTiles(
            Graph graph, boolean next, PathTiles<T> tiles, int parts, int onGpu, int onHost, Path files) {
        long size = (long) parts * parts * tiles.bytes();
        Map<Tile, Grid<T>> found = new ConcurrentHashMap<>();
        try (LevelTable<T> table = new LevelTable<>(tiles, parts, onGpu * size, onHost * size, files)) {
            solve(tiles, parts, table);
            table.get(large(tiles, parts), found::put);
            int side = Grid.tiles(tiles.side(), parts);
            if (onGpu < side * side) {
                assertThat(table.moved().get(LevelTable.FROM_GPU)).isPositive();
            }
            if (onGpu + onHost < side * side) {
                assertThat(table.moved().get(LevelTable.FROM_DISK)).isPositive();
            }
        }
        try (PathTable onCpu = ShortestPaths.solve(graph, Strategy.FLOYD_WARSHALL, next)) {
            PathTable paths = tiles.paths(tile -> found.get(new Tile(tile.row() / parts, tile.column() / parts))
                    .get(tile.row() % parts, tile.column() % parts));
            compare(graph.nodes, next, paths, onCpu);
        }
    }

    private static List<Tile> large(PathTiles<?> tiles, int parts) {
        int side = Grid.tiles(tiles.side(), parts);
        return IntStream.range(0, side * side)
                .mapToObj(i -> new Tile(i / side, i % side))
                .toList();
    }

    private static <T> void solve(PathTiles<T> tiles, int parts, LevelTable<T> table) {
        table.put(
                large(tiles, parts),
                tile -> new Grid<>(parts, part -> {
                    Tile place = tile.part(parts, part.row(), part.column());
                    return tiles.has(place) ? tiles.make(place) : null;
                }));
        int side = Grid.tiles(tiles.side(), parts);
        Schedule.blocked(side).run(tiles.pattern(), side, table::run);
        table.finish();
    }

    @Test
    void negativeCycleInLargeTiles(@TempDir Path folder) {
        Graph graph = Graph.ofLongs(
                ErrorContext.ofFunction("f"), 700, new int[] {3, 650, 9}, new int[] {650, 3, 10}, new long[] {5, -6, 1
                });
        assertThatThrownBy(() -> negativeCycle(PathTiles.of(graph, false), folder))
                .hasMessageContaining("vertex 650 is on a cycle of negative weight");
    }

    private static <T> void negativeCycle(PathTiles<T> tiles, Path folder) {
        try (LevelTable<T> table = new LevelTable<>(tiles, 1, 4L * tiles.bytes(), tiles.bytes(), folder)) {
            solve(tiles, 1, table);
        }
    }
}
