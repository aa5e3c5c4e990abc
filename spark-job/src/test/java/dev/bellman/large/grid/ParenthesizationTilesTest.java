package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.chain.ParenthesizationTiles;
import dev.bellman.chain.matrix.MatrixChain;
import dev.bellman.chain.matrix.MatrixChainTiles;
import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares triangular tables that are computed in tiles on executors with the same tables computed as a whole. The
 * panels of these tables are read until the last wave.
 */
class ParenthesizationTilesTest {
    private final JavaSparkContext spark =
            JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

    @TempDir
    Path folder;

    private TileSettings settings(int parts, long memory, Duration checkpoint) {
        return new TileSettings(folder.resolve("tiles").toUri().toString(), "chain", parts, memory, checkpoint);
    }

    private TileFolder<long[][]> run(MatrixChainTiles tiles, int parts) {
        return new TileRun<>(spark, tiles, settings(parts, 0, Duration.ZERO), note -> {}).run();
    }

    /**
     * Returns small dimensions, with which many costs tie, or powers of 2 below 2^most, with which candidates may
     * exceed 63 bits.
     */
    private static long[] dims(int matrices, int most) {
        SplittableRandom random = new SplittableRandom(matrices);
        return LongStream.generate(() -> most > 9 ? 1L << random.nextInt(most) : random.nextLong(1, most + 1))
                .limit(matrices + 1L)
                .toArray();
    }

    private static void check(MatrixChainTiles tiles, TileFolder<long[][]> table, long... dims) {
        MatrixChain.Solution expected = MatrixChain.solve(dims, MatrixChain.Strategy.TABLE);
        MatrixChain.Solution found = tiles.solution(table.reader(0));
        assertThat(found.cost()).isEqualTo(expected.cost());
        assertThat(found.splits()).isEqualTo(expected.splits());
        assertThat(found.order()).isEqualTo(expected.order());
        assertThat(tiles.cost(table.reader(0))).isEqualTo(expected.cost());
    }

    private List<Path> files(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("tiles").resolve(name))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .toList();
        }
    }

    /** Without memory for tiles, every tile is written to disk between two of its steps. */
    @ParameterizedTest
    @CsvSource({
        "1,   1, 9",
        "2,   1, 9",
        "127, 1, 9",
        "128, 1, 9",
        "129, 2, 31",
        "383, 1, 31",
        "650, 2, 9",
        "520, 4, 20",
    })
    void chains(int matrices, int parts, int most) throws IOException {
        long[] dims = dims(matrices, most);
        MatrixChainTiles tiles = MatrixChainTiles.of(dims);
        check(tiles, run(tiles, parts), dims);
        assertThat(files("panels")).isEmpty();
        int side = (matrices / ParenthesizationTiles.EDGE + parts) / parts;
        assertThat(files("checkpoints")).hasSize(side * (side + 1) / 2);
        // a large tile on the diagonal has only the parts on and above the diagonal
        long bytes = tiles.bytes();
        int whole = Math.min(parts, tiles.side());
        assertThat(Files.size(files("checkpoints").stream()
                        .filter(file -> file.endsWith("0-0"))
                        .findFirst()
                        .orElseThrow()))
                .isBetween(whole * (whole + 1) / 2 * bytes, whole * (whole + 1) / 2 * bytes + 100);
    }

    /** The driver is interrupted several times, each time a little later. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3600})
    void continues(int checkpointSeconds) {
        long[] dims = dims(600, 9);
        MatrixChainTiles tiles = MatrixChainTiles.of(dims);
        Breaking<long[][]> breaking = new Breaking<>(tiles);
        Duration checkpoint = Duration.ofSeconds(checkpointSeconds);
        List<String> notes = new ArrayList<>();
        // there are 25 tasks in total, and the first 5 form a wave
        for (int tasks : new int[] {6, 5, 5, 5}) {
            Breaking.left.set(tasks);
            assertThatThrownBy(() -> new TileRun<>(spark, breaking, settings(1, 0, checkpoint), notes::add).run())
                    .hasMessageContaining(Breaking.MESSAGE);
        }
        Breaking.left.set(Integer.MAX_VALUE);
        check(tiles, new TileRun<>(spark, breaking, settings(1, 0, checkpoint), notes::add).run(), dims);
        assertThat(notes).isNotEmpty();
    }

    @Test
    void overflow() {
        long[] dims = new long[150];
        Arrays.fill(dims, 3_000_000);
        MatrixChainTiles tiles = MatrixChainTiles.of(dims);
        TileFolder<long[][]> table = run(tiles, 1);
        assertThatThrownBy(() -> tiles.cost(table.reader(0)))
                .hasMessageContaining("requires more than 9223372036854775807 scalar multiplications");
    }
}
