package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTiles;
import dev.bellman.job.LocalSpark;
import dev.bellman.large.tiles.DevicePartition;
import dev.bellman.large.tiles.TiledProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tables that several GPUs compute, here in one process, against the same tables in one memory.
 * {@link LostExecutorsTest} has them in several.
 */
class SharesTest {
    private final JavaSparkContext spark =
            JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

    @TempDir
    Path folder;

    private <T> TileRun<T> run(
            TiledProblem<T> problem,
            SimulatedGpu.Cells cells,
            int parts,
            int gpus,
            int buffers,
            Duration checkpoint,
            String given)
            throws IOException {
        long size = (long) parts * parts * problem.bytes();
        TileSettings settings = new TileSettings(
                folder.resolve("tiles").toUri().toString(),
                "graph",
                parts,
                buffers * size,
                checkpoint,
                new TileSettings.Gpu(
                        1L << 40,
                        null,
                        gpus,
                        Files.createDirectories(folder.resolve("panels")).toString()));
        return new TileRun<>(spark, new OnSimulatedGpu<>(problem, cells), settings, given, note -> {});
    }

    /** 700 vertices have tiles at the end; buffers are the arrays on their way at a time. */
    @ParameterizedTest
    @CsvSource({"700, 1, false, 2, 1", "700, 1, true, 4, 3", "900, 1, true, 3, 20", "520, 2, true, 2, 2"})
    void asInOneMemory(int nodes, int parts, boolean doubles, int gpus, int buffers) throws IOException {
        Graph graph = Graphs.random(nodes, doubles, 100);
        asInOneMemory(graph, PathTiles.of(graph, false), parts, gpus, buffers);
        assertThat(folder.resolve("tiles")).isDirectoryNotContaining("glob:**/panels");
        try (Stream<Path> left = Files.list(folder.resolve("panels"))) {
            assertThat(left).isEmpty();
        }
    }

    private <T> void asInOneMemory(Graph graph, PathTiles<T> tiles, int parts, int gpus, int buffers)
            throws IOException {
        TileRun<T> run = run(tiles, OnSimulatedGpu.Paths.of(graph), parts, gpus, buffers, Duration.ofDays(1), null);
        TileRunTest.check(graph, false, tiles, run.run());
        assertThat(run.report()).containsEntry("slots", gpus);
        assertThat(run.report().get("panels"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsKeys(ShareWorker.FETCHING, ShareWorker.PUBLISHING);
    }

    @ParameterizedTest
    @CsvSource({"767, 2, 1", "768, 4, 2", "900, 3, 20"})
    void eliminated(int n, int gpus, int buffers) throws IOException {
        double[][] matrix = Matrices.dominant(n, n + 1);
        assertThat(Matrices.read(eliminate(gpus, buffers, matrix).run(), n)).isDeepEqualTo(Matrices.eliminated(matrix));
    }

    private TileRun<double[][]> eliminate(int gpus, int buffers, double[]... matrix) throws IOException {
        int n = matrix.length;
        int parts = Matrices.tiles(n).fewestParts();
        String given = Matrices.write(matrix, folder.resolve("tiles"), parts);
        return run(
                Matrices.tiles(n), new OnSimulatedGpu.Elimination(n), parts, gpus, buffers, Duration.ofDays(1), given);
    }

    /** The GPUs find only that there is one; that with the tile tells it. */
    @Test
    void badPivot() throws IOException {
        double[][] matrix = Matrices.dominant(800, 801);
        matrix[500] = matrix[450].clone();
        TileRun<?> run = eliminate(4, 2, matrix);
        assertThatThrownBy(run::run).hasMessageContaining("pivot 501 (counted from 1) is");
    }

    /** A run that was cut off after a checkpoint, and one before the first. */
    @ParameterizedTest
    @CsvSource({"0", "3600"})
    void continues(int checkpointSeconds) throws IOException {
        Graph graph = Graphs.random(700, true, 100);
        continues(graph, PathTiles.of(graph, false), Duration.ofSeconds(checkpointSeconds));
    }

    private <T> void continues(Graph graph, PathTiles<T> tiles, Duration checkpoint) throws IOException {
        OnSimulatedGpu.failAfter.set(14);
        assertThatThrownBy(() -> run(tiles, OnSimulatedGpu.Paths.of(graph), 1, 2, 4, checkpoint, null)
                        .run())
                .hasMessageContaining(OnSimulatedGpu.FAILURE);
        OnSimulatedGpu.failAfter.set(Integer.MAX_VALUE);
        TileRun<T> run = run(tiles, OnSimulatedGpu.Paths.of(graph), 1, 2, 4, checkpoint, null);
        TileRunTest.check(graph, false, tiles, run.run());
        double whole = Math.pow(tiles.side() * (double) tiles.edge(), 3);
        if (checkpoint.isZero()) {
            assertThat((double) run.report().get("operations")).isLessThan(whole);
        } else {
            assertThat((double) run.report().get("operations")).isEqualTo(whole);
        }
    }

    /** Tiles of 4,096, if there are enough of them; a share has half of the tiles, and panels of two rounds. */
    @Test
    void memory() {
        PathTiles<?> tiles = PathTiles.of(Graphs.random(20_480, false, 100), false);
        int parts = DevicePartition.parts(tiles);
        assertThat(parts * tiles.edge()).isEqualTo(1_024);
        long size = (long) parts * parts * tiles.bytes();
        assertThat(TileSizes.gpuBytes(tiles, parts, 2)).isEqualTo((200 + 2 * 2 * 21) * size);
        assertThat(TileSizes.gpuBytes(tiles, parts, 4)).isEqualTo((100 + 2 * 2 * 21) * size);
    }
}
