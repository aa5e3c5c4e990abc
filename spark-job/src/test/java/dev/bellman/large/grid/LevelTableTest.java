package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how many bytes move between a GPU, its host and files, with many tiles that have few cells. */
class LevelTableTest {
    private static final int SIDE = Numbers.SIDE;
    private static final int TILES = SIDE * SIDE;

    private static final List<Tile> ALL = IntStream.range(0, TILES)
            .mapToObj(i -> new Tile(i / SIDE, i % SIDE))
            .toList();

    @TempDir
    Path folder;

    /** Computes and checks a table, and returns how many tiles were moved. */
    private Map<String, Double> solve(Pattern pattern, int onGpu, int onHost) {
        Numbers problem = new Numbers(pattern);
        double bytes = problem.bytes();
        try (LevelTable<double[]> table =
                new LevelTable<>(problem, 1, (long) (onGpu * bytes), (long) (onHost * bytes), folder)) {
            table.put(ALL, tile -> new Grid<>(1, part -> problem.make(tile)));
            Schedule.blocked(SIDE).run(pattern, SIDE, table::run);
            table.finish();
            Map<String, Double> moved = table.moved();
            problem.solve();
            table.get(
                    ALL,
                    (tile, found) -> assertThat(found.get(0, 0)).as("%s", tile).isEqualTo(problem.make(tile)));
            moved.replaceAll((name, count) -> name.startsWith("bytes") ? count / bytes : count);
            return moved;
        }
    }

    /**
     * Returns the lower bound: every schedule moves at least 2 n^3 / sqrt(M) cells into and out of a memory of M cells.
     */
    private static double least(double operations, int tilesInMemory) {
        return 2 * operations / Math.sqrt(tilesInMemory * (double) Numbers.CELLS) / Numbers.CELLS;
    }

    /** Uses the proportions of a table of 16 GiB with 4 GiB of GPU memory and 12 GiB of host memory. */
    @Test
    void fewTilesGoToFilesAndBack() {
        int onGpu = TILES / 4;
        int onHost = 3 * TILES / 4;
        Map<String, Double> moved = solve(Pattern.CLOSURE, onGpu, onHost);
        double files = moved.get(LevelTable.FROM_DISK) + moved.get(LevelTable.TO_DISK);
        assertThat(files / least(Math.pow(Numbers.N, 3), onGpu + onHost)).isBetween(1.0, 2.0);
        // each tile moves up once every two rounds
        assertThat(moved.get(LevelTable.TO_GPU)).isBetween(SIDE * TILES / 2 * 0.7, SIDE * TILES / 2.0);
    }

    /** The GPU has room for the table and for the lines of a round; the host has room for only a few tiles. */
    @ParameterizedTest
    @CsvSource({"CLOSURE", "ELIMINATION"})
    void noTileGoesThroughFilesToAGpuWithRoom(Pattern pattern) {
        Map<String, Double> moved = solve(pattern, TILES + 2 * SIDE, 4);
        assertThat(moved)
                .containsEntry(LevelTable.TO_DISK, 0.0)
                .containsEntry(LevelTable.FROM_DISK, 0.0)
                .containsEntry(LevelTable.TO_GPU, (double) TILES);
    }

    @ParameterizedTest
    @CsvSource({
        "CLOSURE, 3, 1",
        "CLOSURE, 3, 4",
        "CLOSURE, 6, 10",
        "CLOSURE, 64, 40",
        "CLOSURE, 30, 100",
        "CLOSURE, 130, 120",
        "ELIMINATION, 3, 1",
        "ELIMINATION, 4, 10",
        "ELIMINATION, 17, 16",
        "ELIMINATION, 64, 40",
        "ELIMINATION, 64, 192",
        "ELIMINATION, 100, 100",
        "ELIMINATION, 20, 255"
    })
    void asInOneMemory(Pattern pattern, int onGpu, int onHost) {
        Map<String, Double> moved = solve(pattern, onGpu, onHost);
        assertThat(moved.get(LevelTable.TO_GPU)).isPositive();
    }
}
