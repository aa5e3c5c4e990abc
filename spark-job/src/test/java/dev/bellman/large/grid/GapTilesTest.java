package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.align.gap.GapTiles;
import dev.bellman.job.LocalSpark;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares tables of gap alignments, computed in tiles on executors, with the results of the function. The tables need
 * not be square.
 */
class GapTilesTest {
    private final JavaSparkContext spark =
            JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

    @TempDir
    Path folder;

    private String a;
    private String b;
    private long[] costs;

    /** Returns two related sequences, with costs that are neither affine nor concave. */
    private GapTiles pair(int aLength, int bLength) {
        Random random = new Random(aLength);
        a = random.ints(aLength, 'A', 'C')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        b = (a.substring(aLength / 3) + a.repeat(bLength)).substring(0, bLength);
        costs = random.longs(Math.max(aLength, bLength), 2, 6).toArray();
        return GapTiles.of(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8), 2, -3, costs);
    }

    private TileSettings settings(int parts, Duration checkpoint) {
        return new TileSettings(folder.resolve("tiles").toUri().toString(), "pair", parts, 0, checkpoint);
    }

    /** Runs the textbook's loops. This class is not a record, because Kryo cannot serialize records. */
    private static final class Loops implements SimulatedGpu.Cells {
        private static final long serialVersionUID = 1L;

        private static final double NONE = -1 << 30;

        private final String a;
        private final String b;
        private final long[] costs;

        Loops(String a, String b, long... costs) {
            this.a = a;
            this.b = b;
            this.costs = costs;
        }

        @Override
        public int bytes() {
            return Integer.BYTES;
        }

        @Override
        public boolean run(SimulatedGpu.Arrays arrays, LargeTask task) {
            int pitch = task.pitch();
            int row = task.task().target().row() * pitch;
            int column = task.task().target().column() * pitch;
            // the scores before gaps in a come first, then those before gaps in b
            double[][] cells = arrays.get(task.cells(), 2 * pitch, pitch);
            boolean finishes = task.task().kernel() == TileKernel.A;
            double[][] above = task.rows() == 0 ? null : arrays.get(task.rows(), 2 * pitch, pitch);
            double[][] left = task.columns() == 0 ? null : arrays.get(task.columns(), 2 * pitch, pitch);
            double[][] corner = task.corner() == 0 ? null : arrays.get(task.corner(), 2 * pitch, pitch);
            for (int i = 0; i < pitch && row + i <= a.length(); i++) {
                for (int j = 0; j < pitch && column + j <= b.length(); j++) {
                    if (finishes) {
                        double pair = row + i == 0 && column + j == 0 ? 0 : NONE;
                        if (row + i > 0 && column + j > 0) {
                            double[][] before = i > 0 ? j > 0 ? cells : left : j > 0 ? above : corner;
                            int p = (i + pitch - 1) % pitch;
                            int q = (j + pitch - 1) % pitch;
                            pair = Math.max(before[p][q], before[pitch + p][q])
                                    + (a.charAt(row + i - 1) == b.charAt(column + j - 1) ? 2 : -3);
                        }
                        raise(cells, pitch + i, j, pair);
                        for (int p = 0; p < i; p++) {
                            raise(cells, pitch + i, j, cells[p][j] - costs[i - p - 1]);
                        }
                        raise(cells, i, j, pair);
                        for (int q = 0; q < j; q++) {
                            raise(cells, i, j, cells[pitch + i][q] - costs[j - q - 1]);
                        }
                    } else if (task.task().kernel() == TileKernel.B) {
                        int distance = column - task.task().sources().get(0).column() * pitch;
                        for (int q = 0; q < pitch; q++) {
                            raise(cells, i, j, left[pitch + i][q] - costs[distance + j - q - 1]);
                        }
                    } else {
                        int distance = row - task.task().sources().get(0).row() * pitch;
                        for (int p = 0; p < pitch; p++) {
                            raise(cells, pitch + i, j, above[p][j] - costs[distance + i - p - 1]);
                        }
                    }
                }
            }
            arrays.set(task.cells(), cells);
            return true;
        }

        private static void raise(double[][] cells, int i, int j, double candidate) {
            cells[i][j] = Math.max(cells[i][j], candidate);
        }
    }

    /**
     * Computes tables in GPU memory, in host memory, and in files.
     *
     * @param onGpu the number of large tiles that fit in GPU memory
     * @param onHost the number of large tiles that fit in host memory
     */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 4, 1",
        "95, 96, 1, 4, 1",
        "400, 90, 1, 4, 1",
        "90, 400, 2, 4, 1",
        "480, 300, 1, 4, 1",
        "480, 383, 1, 7, 3",
        "480, 480, 2, 4, 2",
        "380, 470, 1, 20, 20"
    })
    void inLevels(int aLength, int bLength, int parts, int onGpu, int onHost) {
        GapTiles tiles = pair(aLength, bLength);
        long size = (long) parts * parts * tiles.bytesOnGpu();
        LargeTiles<long[][]> form = new LargeTiles<>(tiles, parts);
        List<Tile> all = IntStream.range(0, form.side() * form.side())
                .mapToObj(i -> new Tile(i / form.side(), i % form.side()))
                .filter(form::has)
                .toList();
        Map<Tile, Grid<long[][]>> found = new ConcurrentHashMap<>();
        try (LevelTable<long[][]> table = new LevelTable<>(
                new OnSimulatedGpu<>(tiles, new Loops(a, b, costs)), parts, onGpu * size, onHost * size, folder)) {
            table.put(all, form::make);
            Schedule.blocked(form.side()).run(tiles.pattern(), form.side(), wave -> {
                List<Task> tasks =
                        wave.stream().filter(task -> form.has(task.target())).toList();
                if (!tasks.isEmpty()) {
                    table.run(tasks);
                }
            });
            table.finish();
            table.get(all, found::put);
            if (onGpu + onHost < all.size()) {
                assertThat(table.moved().get(LevelTable.FROM_DISK)).isPositive();
            }
        }
        check(tiles, tile -> found.get(new Tile(tile.row() / parts, tile.column() / parts))
                .get(tile.row() % parts, tile.column() % parts));
    }

    /** Runs in the same way as a job with a GPU, with checkpoints. */
    @Test
    void inLevelsAsRun() throws IOException {
        GapTiles tiles = pair(300, 200);
        TileSettings settings = new TileSettings(
                folder.resolve("tiles").toUri().toString(),
                "pair",
                1,
                tiles.bytesOnGpu(),
                Duration.ZERO,
                new TileSettings.Gpu(
                        4L * tiles.bytesOnGpu(),
                        Files.createDirectories(folder.resolve("local")).toString()));
        TileRun<long[][]> run =
                new TileRun<>(spark, new OnSimulatedGpu<>(tiles, new Loops(a, b, costs)), settings, note -> {});
        check(tiles, run.run().reader(0));
    }

    private void check(GapTiles tiles, TileFolder<long[][]> table) {
        check(tiles, table.reader(0));
    }

    private void check(GapTiles tiles, Function<Tile, long[][]> table) {
        Row expected = LocalSpark.session()
                .sql("SELECT gap_alignment('%s', '%s', 2, -3, cast(split('%s', ', ') AS ARRAY<BIGINT>))"
                        .formatted(a, b, Arrays.toString(costs).replaceAll("[\\[\\]]", "")))
                .head()
                .getStruct(0);
        assertThat(tiles.score(table)).isEqualTo(expected.getLong(0));
        assertThat(tiles.cigar(table)).isEqualTo(expected.getString(1));
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "95, 95, 1", "96, 95, 1", "191, 192, 2", "400, 90, 1", "90, 400, 2", "480, 300, 2"})
    void pairs(int aLength, int bLength, int parts) throws IOException {
        GapTiles tiles = pair(aLength, bLength);
        check(tiles, new TileRun<>(spark, tiles, settings(parts, Duration.ZERO), note -> {}).run());
        int edge = tiles.edge() * parts;
        try (Stream<Path> files = Files.walk(folder.resolve("tiles"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file ->
                                    folder.resolve("tiles").relativize(file).toString())
                            .filter(name -> !name.equals("manifest")))
                    .hasSize((aLength / edge + 1) * (bLength / edge + 1))
                    .allMatch(name -> name.startsWith("checkpoints"));
        }
    }

    /** The driver is interrupted several times, each time a little later. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3600})
    void continues(int checkpointSeconds) {
        GapTiles tiles = pair(350, 200);
        Breaking<long[][]> breaking = new Breaking<>(tiles);
        Duration checkpoint = Duration.ofSeconds(checkpointSeconds);
        // 38 tasks in total, at most 4 in a wave
        for (int tasks : new int[] {5, 5, 6, 6}) {
            Breaking.left.set(tasks);
            assertThatThrownBy(() -> new TileRun<>(spark, breaking, settings(1, checkpoint), note -> {}).run())
                    .hasMessageContaining(Breaking.MESSAGE);
        }
        Breaking.left.set(Integer.MAX_VALUE);
        check(tiles, new TileRun<>(spark, breaking, settings(1, checkpoint), note -> {}).run());
    }
}
