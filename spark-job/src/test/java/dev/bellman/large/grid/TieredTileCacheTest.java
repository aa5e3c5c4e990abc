package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTiles;
import dev.bellman.job.Thorough;
import dev.bellman.large.levels.LevelSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares tables that are computed in GPU memory, host memory and files with the same tables computed as a whole. */
class TieredTileCacheTest extends SimulatedTables {
    @Override
    TileSettings.Gpu gpu(int count, long size) throws IOException {
        return new TileSettings.Gpu(
                count * size, Files.createDirectories(folder.resolve("local")).toString());
    }

    /**
     * Computes tables in GPU memory, in host memory, and in files.
     *
     * @param onGpu the number of large tiles that fit in GPU memory
     * @param onHost the number of large tiles that fit in host memory
     * @param files the minimum number of large tiles that are written to files and read from files
     */
    @ParameterizedTest
    @CsvSource({"700, 1, false, 3, 1, 12", "700, 1, true, 5, 3, 8", "520, 2, true, 3, 2, 1", "500, 1, false, 8, 8, 0"})
    void asInOneMemory(int nodes, int parts, boolean doubles, int onGpu, int onHost, int files) throws IOException {
        Graph graph = Graphs.random(nodes, doubles, 100);
        asInOneMemory(graph, PathTiles.of(graph, false), parts, onGpu, onHost, files);
        assertThat(folder.resolve("local")).isEmptyDirectory();
    }

    private <T> void asInOneMemory(Graph graph, PathTiles<T> tiles, int parts, int onGpu, int onHost, int files)
            throws IOException {
        TileRun<T> run = paths(graph, tiles, parts, onGpu, onHost);
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
            // each tile moves up once, and down once for the checkpoint
            assertThat(levels.get("gpu"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsEntry("bytesUp", 4 * size)
                    .containsEntry("bytesDown", 4 * size);
            assertThat(disk).containsEntry("bytesWritten", 0.0);
        }
    }

    static List<Arguments> matrices() {
        return Thorough.cases(
                2, arguments(767, 3, 1), arguments(768, 3, 2), arguments(900, 5, 3), arguments(900, 20, 20));
    }

    /**
     * With 767 rows, the matrix and its right-hand side fill two large tiles of 384. With 768 rows, the right-hand side
     * is in a third large tile.
     */
    @ParameterizedTest
    @MethodSource("matrices")
    void eliminated(int n, int onGpu, int onHost) throws IOException {
        checkElimination(n, onGpu, onHost);
    }

    @Test
    void noDirectory() throws IOException {
        Graph graph = Graphs.random(300, false, 100);
        TileRun<?> run = paths(graph, PathTiles.of(graph, false), 1, 3, 1);
        Files.delete(folder.resolve("local"));
        assertThat(BellmanException.in(catchThrowable(run::run))).hasValueSatisfying(own -> {
            assertThat(own.code()).isEqualTo(ErrorCode.BELLMAN_OUTPUT_WRITE);
            assertThat(own).hasMessageContaining("cannot create a folder for tiles in " + folder.resolve("local"));
        });
    }

    /** The lines of a round leave room for tiles in transit. */
    @Test
    void largestTiles() {
        PathTiles<?> tiles = PathTiles.of(Graphs.random(20_480, false, 100), false);
        int edge = tiles.edge();
        // with large tiles of 1,024, the rows and columns of a round take 69% of this memory; the maximum is 70%
        assertThat(edge * LevelSizes.parts(tiles, (long) (2 * 80 * 4 * tiles.bytes() / 0.69)))
                .isEqualTo(1024);
        assertThat(edge * LevelSizes.parts(tiles, 1L << 40)).isEqualTo(4096);
        assertThat(LevelSizes.parts(tiles, 1)).isEqualTo(1);
    }

    static List<Arguments> cuts() {
        return Thorough.cases(2, arguments(0, 6), arguments(3600, 6), arguments(0, 4), arguments(0, 1));
    }

    /** Interrupts one run after a checkpoint, and one run before its first checkpoint. A round has four tasks. */
    @ParameterizedTest
    @MethodSource("cuts")
    void continues(int checkpointSeconds, int tasks) throws IOException {
        Graph graph = Graphs.random(500, true, 100);
        Duration checkpoint = Duration.ofSeconds(checkpointSeconds);
        double share = continued(graph, PathTiles.of(graph, false), 3, checkpoint, tasks);
        assertThat(share).isLessThanOrEqualTo(1);
        if (checkpoint.isZero() && tasks >= 4) {
            assertThat(share).isLessThan(1);
        }
    }
}
