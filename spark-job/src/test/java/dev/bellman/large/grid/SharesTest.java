package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTable;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.job.Thorough;
import dev.bellman.large.levels.LevelSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares tables that are divided among several simulated GPUs in one process with the same tables computed as a
 * whole. {@link LostExecutorsTest} computes such tables in several processes.
 */
class SharesTest extends SimulatedTables {
    @Override
    TileSettings.Gpu gpu(int count, long size) throws IOException {
        return new TileSettings.Gpu(
                1L << 40,
                null,
                count,
                Files.createDirectories(folder.resolve("panels")).toString());
    }

    static List<Arguments> tables() {
        return Thorough.cases(
                2,
                arguments(700, 1, false, 2, 1),
                arguments(520, 2, true, 2, 2),
                arguments(700, 1, true, 4, 3),
                arguments(900, 1, true, 3, 20));
    }

    /**
     * With 700 vertices, the tiles at the end are smaller; {@code buffers} is the number of arrays that can be in
     * transit at a time.
     */
    @ParameterizedTest
    @MethodSource("tables")
    void asInOneMemory(int nodes, int parts, boolean doubles, int gpus, int buffers) throws IOException {
        Graph graph = Graphs.random(nodes, doubles, 100);
        asInOneMemory(graph, PathTiles.of(graph, false), parts, gpus, buffers);
        assertThat(folder.resolve("tiles")).isDirectoryNotContaining("glob:**/panels");
        assertThat(folder.resolve("panels")).isEmptyDirectory();
    }

    private <T> void asInOneMemory(Graph graph, PathTiles<T> tiles, int parts, int gpus, int buffers)
            throws IOException {
        TileRun<T> run = paths(graph, tiles, parts, gpus, buffers);
        TileRunTest.check(graph, false, tiles, run.run());
        assertThat(run.report()).containsEntry("slots", gpus);
        assertThat(run.report().get("panels"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsKeys(GpuTiles.FETCHING, GpuTiles.PUBLISHING);
    }

    static List<Arguments> matrices() {
        return Thorough.cases(2, arguments(767, 2, 1), arguments(768, 4, 2), arguments(900, 3, 20));
    }

    @ParameterizedTest
    @MethodSource("matrices")
    void eliminated(int n, int gpus, int buffers) throws IOException {
        checkElimination(n, gpus, buffers);
    }

    /** Interrupts a run after a checkpoint, and one before the first checkpoint. */
    @ParameterizedTest
    @CsvSource({"0", "3600"})
    void continues(int checkpointSeconds) throws IOException {
        Graph graph = Graphs.random(700, true, 100);
        Duration checkpoint = Duration.ofSeconds(checkpointSeconds);
        double share = continued(graph, PathTiles.of(graph, false), 2, checkpoint, 14);
        if (checkpoint.isZero()) {
            assertThat(share).isLessThan(1);
        } else {
            assertThat(share).isEqualTo(1);
        }
    }

    /** A run stores only the rows that are read, also if it continues a run that had stored them. */
    @Test
    void storesRowsThatAreRead() throws IOException {
        Graph graph = Graphs.random(700, false, 100);
        storesRowsThatAreRead(graph, PathTiles.of(graph, false));
    }

    private <T> void storesRowsThatAreRead(Graph graph, PathTiles<T> tiles) throws IOException {
        PathTable expected = ShortestPaths.solve(graph, ShortestPaths.Strategy.BLOCKED, false);
        for (int run = 0; run < 2; run++) {
            TileFolder<T> table = paths(graph, tiles, 1, 2, 4, Duration.ZERO).run(row -> row == 1);
            PathTable paths = tiles.paths(table.tiles(1, 0, table.side()));
            for (int to = 0; to < graph.nodes(); to++) {
                assertThat(paths.reaches(300, to)).isEqualTo(expected.reaches(300, to));
                assertThat(!paths.reaches(300, to) || paths.length(300, to) == expected.length(300, to))
                        .isTrue();
            }
            assertThatThrownBy(() -> table.tiles(0, 0, 1)).hasMessageContaining("is missing");
        }
    }

    /**
     * Large tiles have 1,024 cells per side, so that there are enough rounds. A share has the tiles of one GPU, and the
     * panels of two rounds.
     */
    @Test
    void memory() {
        PathTiles<?> tiles = PathTiles.of(Graphs.random(20_480, false, 100), false);
        int parts = LevelSizes.partsOfShares(tiles);
        assertThat(parts * tiles.edge()).isEqualTo(1_024);
        long size = (long) parts * parts * tiles.bytes();
        assertThat(TileSizes.gpuBytes(tiles, parts, 2)).isEqualTo((200 + 2 * 2 * 21) * size);
        assertThat(TileSizes.gpuBytes(tiles, parts, 4)).isEqualTo((100 + 2 * 2 * 21) * size);
    }
}
