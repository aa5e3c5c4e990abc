package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTiles;
import dev.bellman.job.LocalSpark;
import dev.bellman.large.tiles.TiledProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables that simulated GPUs compute for a test, in runs in this process. */
abstract class SimulatedTables {
    private final JavaSparkContext spark =
            JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

    @TempDir
    Path folder;

    /**
     * Returns the GPUs of a run.
     *
     * @param count the number of GPUs, or the number of tiles that fit in the memory of one GPU
     * @param size the number of bytes of a large tile
     */
    abstract TileSettings.Gpu gpu(int count, long size) throws IOException;

    /** @param onHost the number of large tiles that fit in host memory */
    private <T> TileRun<T> run(
            TiledProblem<T> problem,
            SimulatedGpu.Cells cells,
            int parts,
            int count,
            int onHost,
            Duration checkpoint,
            String given)
            throws IOException {
        long size = (long) parts * parts * problem.bytes();
        TileSettings settings = new TileSettings(
                folder.resolve("tiles").toUri().toString(),
                "table",
                parts,
                onHost * size,
                checkpoint,
                gpu(count, size));
        return new TileRun<>(spark, new OnSimulatedGpu<>(problem, cells), settings, given, note -> {});
    }

    final <T> TileRun<T> paths(Graph graph, PathTiles<T> tiles, int parts, int count, int onHost, Duration checkpoint)
            throws IOException {
        return run(tiles, OnSimulatedGpu.Paths.of(graph), parts, count, onHost, checkpoint, null);
    }

    /** Runs without a checkpoint until the end. */
    final <T> TileRun<T> paths(Graph graph, PathTiles<T> tiles, int parts, int count, int onHost) throws IOException {
        return paths(graph, tiles, parts, count, onHost, Duration.ofDays(1));
    }

    private TileFolder<double[][]> eliminate(int count, int onHost, double[]... matrix) throws IOException {
        int n = matrix.length;
        int parts = Matrices.tiles(n).fewestParts();
        String given = Matrices.write(matrix, folder.resolve("tiles"), parts);
        OnSimulatedGpu.Elimination cells = new OnSimulatedGpu.Elimination(n);
        return run(Matrices.tiles(n), cells, parts, count, onHost, Duration.ofDays(1), given)
                .run();
    }

    final void checkElimination(int n, int count, int onHost) throws IOException {
        double[][] matrix = Matrices.dominant(n, n + 1);
        assertThat(Matrices.read(eliminate(count, onHost, matrix), n)).isDeepEqualTo(Matrices.eliminated(matrix));
    }

    /** A GPU detects only that there is a bad pivot. The executor that has the pivot's tile reports its position. */
    @Test
    void badPivot() {
        double[][] matrix = Matrices.dominant(800, 801);
        matrix[500] = matrix[450].clone();
        assertThatThrownBy(() -> eliminate(3, 2, matrix)).hasMessageContaining("pivot 501 (counted from 1) is");
    }

    /**
     * Returns what fraction of the whole table's operations a run performs if it continues a run that was interrupted
     * after some tasks.
     */
    final <T> double continued(Graph graph, PathTiles<T> tiles, int count, Duration checkpoint, int tasks)
            throws IOException {
        OnSimulatedGpu.failAfter.set(tasks);
        TileRun<T> cutOff = paths(graph, tiles, 1, count, 4, checkpoint);
        try {
            assertThatThrownBy(cutOff::run).hasMessageContaining(OnSimulatedGpu.FAILURE);
        } finally {
            OnSimulatedGpu.failAfter.set(Integer.MAX_VALUE);
        }
        TileRun<T> run = paths(graph, tiles, 1, count, 4, checkpoint);
        TileRunTest.check(graph, false, tiles, run.run());
        return (double) run.report().get("operations") / Math.pow(tiles.side() * (double) tiles.edge(), 3);
    }
}
