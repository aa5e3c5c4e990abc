package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTable;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.job.LocalSpark;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileSparsity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares tables that are computed in tiles on executors with the same tables computed as a whole. */
class TileRunTest {
    private final JavaSparkContext spark =
            JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

    @TempDir
    Path folder;

    private TileSettings settings(int parts, long memory, Duration checkpoint) {
        return new TileSettings(folder.resolve("tiles").toUri().toString(), "graph", parts, memory, checkpoint);
    }

    static <T> void check(Graph graph, boolean next, PathTiles<T> tiles, TileFolder<T> table) {
        PathTable expected = ShortestPaths.solve(graph, ShortestPaths.Strategy.BLOCKED, next);
        int differences = 0;
        for (int row = 0; row < table.side(); row++) {
            PathTable paths = tiles.paths(table.tiles(row, 0, table.side()));
            for (int from = row * table.edge(); from < Math.min(graph.nodes(), (row + 1) * table.edge()); from++) {
                for (int to = 0; to < graph.nodes(); to++) {
                    boolean same = paths.reaches(from, to) == expected.reaches(from, to);
                    if (same && expected.reaches(from, to)) {
                        same = paths.length(from, to) == expected.length(from, to)
                                && (!next
                                        || paths.next(from, to) == expected.next(from, to)
                                                && paths.edges(from, to) == expected.edges(from, to));
                    }
                    differences += same ? 0 : 1;
                }
            }
        }
        assertThat(differences).isZero();
    }

    private <T> TileRun<T> run(PathTiles<T> tiles, int parts, long memory, Duration checkpoint) {
        return new TileRun<>(spark, tiles, settings(parts, memory, checkpoint), note -> {});
    }

    private <T> void solve(Graph graph, boolean next, PathTiles<T> tiles, int parts, long memory) {
        check(graph, next, tiles, run(tiles, parts, memory, Duration.ZERO).run());
    }

    /** Without memory for tiles, every tile is written to disk between two of its steps. */
    @ParameterizedTest
    @CsvSource({
        "1,    1, false, false, 100",
        "256,  1, false, false, 100",
        "257,  2, false, true,  100",
        "1100, 2, false, false, 100",
        "700,  1, false, false, 1000000000000",
        "700,  1, false, true,  3",
        "600,  2, true,  false, 1000000"
    })
    void asInOneMemory(int nodes, int parts, boolean doubles, boolean next, long most) throws IOException {
        Graph graph = Graphs.random(nodes, doubles, most);
        solve(graph, next, PathTiles.of(graph, next), parts, 0);
        try (Stream<Path> files = Files.walk(folder.resolve("tiles"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(file -> file.toString().contains("panels")))
                    .isEmpty();
        }
    }

    /** The driver is interrupted several times, each time a little later. */
    @ParameterizedTest
    @CsvSource({"false, 0", "false, 3600", "true, 0", "true, 3600"})
    void continues(boolean doubles, long checkpointSeconds) {
        Graph graph = Graphs.random(700, doubles, 100);
        continues(graph, PathTiles.of(graph, false), Duration.ofSeconds(checkpointSeconds), 9);
    }

    private <T> void continues(Graph graph, PathTiles<T> tiles, Duration checkpoint, int waves) {
        List<String> notes = new ArrayList<>();
        Breaking<T> breaking = new Breaking<>(tiles);
        for (int tasks = 2; tasks < 7; tasks++) {
            Breaking.left.set(tasks);
            assertThatThrownBy(() ->
                            new TileRun<>(spark, breaking, settings(1, Long.MAX_VALUE, checkpoint), notes::add).run())
                    .hasMessageContaining(Breaking.MESSAGE);
        }
        Breaking.left.set(Integer.MAX_VALUE);
        check(
                graph,
                false,
                tiles,
                new TileRun<>(spark, breaking, settings(1, Long.MAX_VALUE, checkpoint), notes::add).run());
        assertThat(notes).contains("1 of %d waves are already finished".formatted(waves));
    }

    /**
     * Returns a graph in which edges lead only from smaller to larger vertices, and never from one part of the graph to
     * the other.
     */
    private static Graph inTwoParts(int nodes, boolean doubles) {
        int[] sources = IntStream.range(0, 3 * nodes).map(e -> e % nodes).toArray();
        int[] targets = IntStream.range(0, 3 * nodes)
                .map(e -> Math.min(sources[e] + 1 + e * 31 % 40, sources[e] < nodes / 2 ? nodes / 2 - 1 : nodes - 1))
                .toArray();
        long[] weights = IntStream.range(0, 3 * nodes)
                .mapToLong(e -> e * 7919L % 100 - 30)
                .toArray();
        for (int e = 0; e < sources.length; e++) {
            weights[e] = sources[e] == targets[e] ? 0 : weights[e];
        }
        return doubles
                ? Graph.ofDoubles(
                        Graphs.NAME,
                        nodes,
                        sources,
                        targets,
                        Arrays.stream(weights).mapToDouble(w -> w / 10.0).toArray())
                : Graph.ofLongs(Graphs.NAME, nodes, sources, targets, weights);
    }

    /** Tiles below the diagonal, and tiles between the two parts, remain empty. Tasks on these tiles are omitted. */
    @ParameterizedTest
    @CsvSource({"1100, 1, false, true", "1100, 1, true, false", "1100, 2, false, false", "600, 2, false, false"})
    void emptyTiles(int nodes, int parts, boolean doubles, boolean next) {
        Graph graph = inTwoParts(nodes, doubles);
        emptyTiles(graph, next, PathTiles.of(graph, next), parts);
    }

    private <T> void emptyTiles(Graph graph, boolean next, PathTiles<T> tiles, int parts) {
        TileRun<T> run = run(tiles, parts, 0, Duration.ZERO);
        check(graph, next, tiles, run.run());
        TileSparsity fill = tiles.fill(parts).orElseThrow();
        assertThat(fill.tasks()).isLessThanOrEqualTo(fill.allTasks() / 2);
        assertThat(run.report())
                .containsEntry(
                        "tileKernels",
                        Map.of(
                                "run", fill.tasks(),
                                "all", fill.allTasks(),
                                "share", (double) fill.tasks() / fill.allTasks()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3600})
    void emptyTilesContinue(int checkpointSeconds) {
        Graph graph = inTwoParts(1100, false);
        PathTiles<?> tiles = PathTiles.of(graph, false);
        int[] waves = {0};
        Step.run(LargeTiles.withoutEmpty(tiles, 1), (wave, steps) -> waves[0]++);
        assertThat(waves[0]).isLessThan(3 * tiles.side());
        continues(graph, tiles, Duration.ofSeconds(checkpointSeconds), waves[0]);
    }

    @Test
    void damagedFiles() throws IOException {
        Graph graph = Graphs.random(700, false, 100);
        damagedFiles(graph, PathTiles.of(graph, false));
    }

    private <T> void damagedFiles(Graph graph, PathTiles<T> tiles) throws IOException {
        Breaking.left.set(12);
        Duration never = Duration.ofDays(1);
        assertThatThrownBy(() -> new TileRun<>(
                                spark, new Breaking<>(tiles), settings(1, Long.MAX_VALUE, never), note -> {})
                        .run())
                .hasMessageContaining(Breaking.MESSAGE);
        Path panel = folder.resolve("tiles/panels/0/0-0");
        byte[] whole = Files.readAllBytes(panel);
        byte[] damaged = whole.clone();
        damaged[whole.length / 2] ^= 1;
        for (boolean cut : new boolean[] {false, true}) {
            Files.deleteIfExists(folder.resolve("tiles/panels/0/.0-0.crc"));
            Files.write(panel, cut ? Arrays.copyOf(whole, whole.length - 1) : damaged);
            assertThatThrownBy(() -> run(tiles, 1, Long.MAX_VALUE, never).run())
                    .satisfies(e -> assertThat(BellmanException.in(e))
                            .hasValueSatisfying(own -> assertThat(own.code()).isEqualTo(ErrorCode.BELLMAN_INPUT_READ)))
                    .hasMessageContaining("panels/0/0-0 is damaged");
        }
        Files.write(panel, whole);
        check(graph, false, tiles, run(tiles, 1, Long.MAX_VALUE, never).run());
    }

    /**
     * After a lost executor is replaced, some slots that had moved to other executors move back; until then, they stay.
     */
    @Test
    void settles() {
        Map<Integer, String> lost = Map.of(0, "a", 1, "b", 2, "a", 3, "b", 4, "b", 5, "b");
        assertThat(SlotTasks.settled(lost, 6, 2)).containsOnlyKeys(0, 1, 2, 3, 4);
        assertThat(SlotTasks.settled(lost, 6, 3)).containsOnlyKeys(0, 1, 2, 3);
        assertThat(SlotTasks.settled(lost, 6, 1)).isEqualTo(lost);
        assertThat(SlotTasks.settled(Map.of(), 6, 3)).isEmpty();
    }

    /** Tests files that a run left before its first manifest, and that may belong to a different graph. */
    @Test
    void filesWithoutManifest() throws IOException {
        Graph graph = Graphs.random(300, false, 100);
        Path stale = folder.resolve("tiles/panels/0/0-0");
        Files.createDirectories(stale.getParent());
        Files.writeString(stale, "of another graph");
        solve(graph, false, PathTiles.of(graph, false), 1, 0);
        assertThat(stale).doesNotExist();
    }

    private TileSettings settings(Duration checkpoint) {
        return settings(1, 0, checkpoint);
    }

    /**
     * Tests a table whose steps must be applied exactly once, and in order. The right-hand side may or may not begin a
     * separate tile.
     */
    @ParameterizedTest
    @CsvSource({"1, 1", "96, 1", "290, 2"})
    void eliminated(int n, int parts) {
        double[][] matrix = Matrices.dominant(n, n + 1);
        TileRun<double[][]> run = new TileRun<>(
                spark,
                Matrices.tiles(n),
                settings(parts, 0, Duration.ZERO),
                Matrices.write(matrix, folder.resolve("tiles"), parts),
                note -> {});
        assertThat(Matrices.read(run.run(), n)).isDeepEqualTo(Matrices.eliminated(matrix));
        assertThat(run.soFar())
                .matches("(\\d) of \\1 waves, \\d+\\.\\d G operations/s, \\d+% of the peak throughput of .*, about "
                        + "0 s left, until .*");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3600})
    void eliminationContinues(int checkpointSeconds) {
        int n = 250;
        double[][] matrix = Matrices.dominant(n, n + 1);
        String given = Matrices.write(matrix, folder.resolve("tiles"), 1);
        Breaking<double[][]> breaking = new Breaking<>(Matrices.tiles(n));
        Duration checkpoint = Duration.ofSeconds(checkpointSeconds);
        // there are 14 tasks in total, and a run does not repeat the finished tasks of its waves
        for (int tasks = 2; tasks < 6; tasks++) {
            Breaking.left.set(tasks);
            assertThatThrownBy(() -> new TileRun<>(spark, breaking, settings(checkpoint), given, note -> {}).run())
                    .hasMessageContaining(Breaking.MESSAGE);
        }
        Breaking.left.set(Integer.MAX_VALUE);
        TileFolder<double[][]> table = new TileRun<>(spark, breaking, settings(checkpoint), given, note -> {}).run();
        assertThat(Matrices.read(table, n)).isDeepEqualTo(Matrices.eliminated(matrix));
    }

    /**
     * An executor may still have a tile from before a checkpoint that a different executor wrote. The panels from the
     * time in between no longer exist, not even in the executor's memory.
     */
    @Test
    void tilesFromBeforeTheCheckpoint() {
        int n = 250;
        double[][] matrix = Matrices.dominant(n, n + 1);
        LargeTiles<double[][]> form = new LargeTiles<>(Matrices.tiles(n), 1);
        String given = Matrices.write(matrix, folder.resolve("tiles"), 1);
        TileWorker.Shared<double[][]> shared = new TileWorker.Shared<>(
                form,
                folder.resolve("tiles").toUri().toString(),
                given,
                new SerializableConfiguration(spark.hadoopConfiguration()),
                0);
        TileStore store = new TileStore(folder.resolve("tiles").toUri().toString(), spark.hadoopConfiguration());
        TileCache<double[][]> cache = TileCache.of(shared.run(), form, 0);
        Tile last = new Tile(2, 2);
        List<Integer> written = new ArrayList<>();
        List<TileCache.Held<double[][]>> old = new ArrayList<>();
        int[] checkpoint = {Step.NONE};
        Step.run(form, (wave, steps) -> {
            work(shared, new TileWorker.Work(0, checkpoint[0], checkpoint[0], steps, List.of(), Step.NONE));
            if (steps.stream().noneMatch(step -> step.task().target().equals(last))) {
                return;
            }
            written.add(wave);
            if (written.size() == 1) {
                TileCache.Held<double[][]> held = cache.take(last).orElseThrow();
                old.add(new TileCache.Held<>(wave, form.read(last, form.write(last, held.tiles()))));
                cache.put(last, held);
            } else if (written.size() == 2) {
                work(shared, save(Step.NONE, last, wave));
                checkpoint[0] = wave;
                store.delete(Step.Panel.FOLDER);
                cache.take(last);
                cache.put(last, old.get(0));
            }
        });
        assertThat(written).hasSize(3);
        work(shared, save(checkpoint[0], last, written.get(2)));
        double[][] finished = form.read(last, store.read(TileWorker.checkpoint(written.get(2), last)))
                .get(0, 0);
        double[][] expected = Matrices.eliminated(matrix);
        for (int i = 192; i < n; i++) {
            assertThat(Arrays.copyOf(finished[i - 192], n - 192)).isEqualTo(Arrays.copyOfRange(expected[i], 192, n));
        }
        TileWorker.drop(shared.run());
    }

    private static TileWorker.Work save(int checkpoint, Tile tile, int wave) {
        return new TileWorker.Work(
                0, checkpoint, checkpoint, List.of(), List.of(new TileWorker.Saved(tile, wave)), wave);
    }

    private static void work(TileWorker.Shared<double[][]> shared, TileWorker.Work work) {
        TileWorker.run(shared, Utils.serialize(work));
    }

    @Test
    void negativeCycle() {
        Graph graph =
                Graph.ofLongs(Graphs.NAME, 700, new int[] {3, 650, 9}, new int[] {650, 3, 10}, new long[] {5, -6, 1});
        assertThatThrownBy(() -> run(PathTiles.of(graph, false), 1, 0, null).run())
                .hasMessageContaining("vertex 650 is on a cycle of negative weight");
    }
}
