package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.graph.ErrorContext;
import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTiles;
import dev.bellman.job.LocalSpark;
import dev.bellman.large.tiles.TiledProblem;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares tables that are divided among several slots of one GPU, which stand for several GPUs, with the same tables
 * computed as a whole. {@code submit/gpu-tests} runs this test.
 */
@Tag("gpu")
class SharesGpuTest {
    private static JavaSparkContext spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        spark = JavaSparkContext.fromSparkContext(LocalSpark.withRapids().sparkContext());
    }

    private <T> TileFolder<T> run(TiledProblem<T> problem, int parts, int gpus, int buffers, String given) {
        TileSettings settings = new TileSettings(
                folder.resolve("tiles").toUri().toString(),
                "table",
                parts,
                (long) buffers * parts * parts * problem.bytes(),
                Duration.ofDays(1),
                new TileSettings.Gpu(
                        1L << 40, null, gpus, folder.resolve("panels").toString()));
        return new TileRun<>(spark, problem, settings, given, note -> {}).run();
    }

    /** {@code buffers} is the number of arrays that can be in transit at a time. */
    @ParameterizedTest
    @CsvSource({"700, 1, false, 2, 1", "900, 1, true, 4, 3", "1100, 2, false, 3, 20", "2100, 1, true, 2, 8"})
    void paths(int nodes, int parts, boolean doubles, int gpus, int buffers) {
        Graph graph = Graphs.random(nodes, doubles, 100);
        paths(graph, false, PathTiles.of(graph, false), parts, gpus, buffers);
    }

    /** Tests next vertices with 64-bit weights. */
    @Test
    void nextVertices() {
        Graph graph = Graphs.random(700, false, 100);
        paths(graph, true, PathTiles.of(graph, true), 1, 2, 3);
    }

    private <T> void paths(Graph graph, boolean next, PathTiles<T> tiles, int parts, int gpus, int buffers) {
        TileRunTest.check(graph, next, tiles, run(tiles, parts, gpus, buffers, null));
    }

    @ParameterizedTest
    @CsvSource({"767, 2, 1", "900, 4, 20"})
    void eliminated(int n, int gpus, int buffers) {
        double[][] matrix = Matrices.dominant(n, n + 1);
        int parts = Matrices.tiles(n).fewestParts();
        String given = Matrices.write(matrix, folder.resolve("tiles"), parts);
        assertThat(Matrices.read(run(Matrices.tiles(n), parts, gpus, buffers, given), n))
                .isDeepEqualTo(Matrices.eliminated(matrix));
    }

    @Test
    void negativeCycle() {
        Graph graph = Graph.ofLongs(
                ErrorContext.ofFunction("f"), 700, new int[] {3, 650, 9}, new int[] {650, 3, 10}, new long[] {5, -6, 1
                });
        PathTiles<?> tiles = PathTiles.of(graph, false);
        assertThatThrownBy(() -> run(tiles, 1, 2, 2, null))
                .hasMessageContaining("vertex 650 is on a cycle of negative weight");
    }
}
