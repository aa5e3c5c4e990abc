package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTiles;
import dev.bellman.job.LocalSpark;
import dev.bellman.large.tiles.LevelTable;
import dev.bellman.large.tiles.TiledProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables in the memory of a GPU, of its host, and in files, against the same tables in one memory. */
class TieredTileCacheTest {
    private final JavaSparkContext spark =
            JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

    @TempDir
    Path folder;

    private <T> TileRun<T> run(
            TiledProblem<T> problem,
            SimulatedGpu.Cells cells,
            int parts,
            int onGpu,
            int onHost,
            Duration checkpoint,
            String given)
            throws IOException {
        long size = (long) parts * parts * problem.bytes();
        TileSettings settings = new TileSettings(
                folder.resolve("tiles").toUri().toString(),
                "graph",
                parts,
                onHost * size,
                checkpoint,
                new TileSettings.Gpu(
                        onGpu * size,
                        Files.createDirectories(folder.resolve("local")).toString()));
        return new TileRun<>(spark, new OnSimulatedGpu<>(problem, cells), settings, given, note -> {});
    }

    /**
     * How many tiles the GPU and the host have memory for, and how many move between them and to files and back at
     * least.
     */
    @ParameterizedTest
    @CsvSource({"700, 1, false, 3, 1, 12", "700, 1, true, 5, 3, 8", "520, 2, true, 3, 2, 1", "500, 1, false, 8, 8, 0"})
    void asInOneMemory(int nodes, int parts, boolean doubles, int onGpu, int onHost, int files) throws IOException {
        Graph graph = Graphs.random(nodes, doubles, 100);
        asInOneMemory(graph, PathTiles.of(graph, false), parts, onGpu, onHost, files);
        try (Stream<Path> left = Files.list(folder.resolve("local"))) {
            assertThat(left).isEmpty();
        }
    }

    private <T> void asInOneMemory(Graph graph, PathTiles<T> tiles, int parts, int onGpu, int onHost, int files)
            throws IOException {
        TileRun<T> run = run(tiles, OnSimulatedGpu.Paths.of(graph), parts, onGpu, onHost, Duration.ofDays(1), null);
        TileRunTest.check(graph, false, tiles, run.run());
        double size = (double) parts * parts * tiles.bytes();
        @SuppressWarnings("unchecked")
        Map<String, Object> levels = (Map<String, Object>) run.report().get("levels");
        @SuppressWarnings("unchecked")
        Map<String, Object> disk = (Map<String, Object>) levels.get("disk");
        assertThat((double) disk.get("bytesWritten") / size).isGreaterThanOrEqualTo(files);
        assertThat((double) disk.get("bytesRead") / size).isGreaterThanOrEqualTo(files);
        if (files > 0) {
            assertThat((double) disk.get("bytesPerSecondRead")).isPositive();
            assertThat((double) disk.get("bytesPerSecondWritten")).isPositive();
        }
        if (files == 0) {
            // once up, and once down for the checkpoint
            assertThat(levels.get("gpu"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("bytesUp", 4 * size)
                    .containsEntry("bytesDown", 4 * size);
            assertThat(disk).containsEntry("bytesWritten", 0.0);
        }
    }

    /** 767 rows and a right-hand side fill two large tiles of 384; 768 have it in a third one. */
    @ParameterizedTest
    @CsvSource({"767, 3, 1", "768, 3, 2", "900, 5, 3", "900, 20, 20"})
    void eliminated(int n, int onGpu, int onHost) throws IOException {
        double[][] matrix = Matrices.dominant(n, n + 1);
        assertThat(Matrices.read(eliminate(onGpu, onHost, matrix), n)).isDeepEqualTo(Matrices.eliminated(matrix));
    }

    private TileFolder<double[][]> eliminate(int onGpu, int onHost, double[]... matrix) throws IOException {
        int n = matrix.length;
        int parts = Matrices.tiles(n).fewestParts();
        String given = Matrices.write(matrix, folder.resolve("tiles"), parts);
        return run(
                        Matrices.tiles(n),
                        new OnSimulatedGpu.Elimination(n),
                        parts,
                        onGpu,
                        onHost,
                        Duration.ofDays(1),
                        given)
                .run();
    }

    @Test
    void noDirectory() throws IOException {
        Graph graph = Graphs.random(300, false, 100);
        TileRun<?> run =
                run(PathTiles.of(graph, false), OnSimulatedGpu.Paths.of(graph), 1, 3, 1, Duration.ofDays(1), null);
        Files.delete(folder.resolve("local"));
        assertThat(BellmanException.in(catchThrowable(run::run))).hasValueSatisfying(own -> {
            assertThat(own.code()).isEqualTo(ErrorCode.BELLMAN_OUTPUT_WRITE);
            assertThat(own).hasMessageContaining("cannot make a folder for tiles in " + folder.resolve("local"));
        });
    }

    /** The GPU finds only that there is one. */
    @Test
    void badPivot() {
        double[][] matrix = Matrices.dominant(800, 801);
        matrix[500] = matrix[450].clone();
        assertThatThrownBy(() -> eliminate(3, 2, matrix)).hasMessageContaining("pivot 501 (counted from 1) is");
    }

    /** The lines of a round leave room for the tiles that go through. */
    @Test
    void largestTiles() {
        PathTiles<?> tiles = PathTiles.of(Graphs.random(20_480, false, 100), false);
        int edge = tiles.edge();
        // rows and columns of a round in 70% of the memory
        assertThat(edge * LevelTable.parts(tiles, (long) (2 * 80 * 4 * tiles.bytes() / 0.69)))
                .isEqualTo(1024);
        assertThat(edge * LevelTable.parts(tiles, 1L << 40)).isEqualTo(4096);
        assertThat(LevelTable.parts(tiles, 1)).isEqualTo(1);
    }

    /** A run that was cut off after a checkpoint, and one before the first. A round has four tasks. */
    @ParameterizedTest
    @CsvSource({"0, 6", "0, 4", "0, 1", "3600, 6"})
    void continues(int checkpointSeconds, int tasks) throws IOException {
        Graph graph = Graphs.random(500, true, 100);
        continues(graph, PathTiles.of(graph, false), Duration.ofSeconds(checkpointSeconds), tasks);
    }

    private <T> void continues(Graph graph, PathTiles<T> tiles, Duration checkpoint, int tasks) throws IOException {
        OnSimulatedGpu.failAfter.set(tasks);
        assertThatThrownBy(() -> run(tiles, OnSimulatedGpu.Paths.of(graph), 1, 3, 4, checkpoint, null)
                        .run())
                .hasMessageContaining(OnSimulatedGpu.FAILURE);
        OnSimulatedGpu.failAfter.set(Integer.MAX_VALUE);
        TileRun<T> run = run(tiles, OnSimulatedGpu.Paths.of(graph), 1, 3, 4, checkpoint, null);
        TileRunTest.check(graph, false, tiles, run.run());
        double whole = Math.pow(tiles.side() * (double) tiles.edge(), 3);
        assertThat((double) run.report().get("operations")).isLessThanOrEqualTo(whole);
        if (checkpoint.isZero() && tasks >= 4) {
            assertThat((double) run.report().get("operations")).isLessThan(whole);
        }
    }
}
