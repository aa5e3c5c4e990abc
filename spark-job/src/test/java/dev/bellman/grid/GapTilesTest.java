package dev.bellman.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.align.gap.GapTiles;
import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of gap alignments in tiles on executors against the function. They need not be square. */
class GapTilesTest {
    private final JavaSparkContext spark =
            JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext());

    @TempDir
    Path folder;

    private String a;
    private String b;
    private long[] costs;

    /** Two related sequences, with costs that are neither affine nor concave. */
    private GapTiles pair(int aLength, int bLength) {
        Random random = new Random(aLength);
        a = random.ints(aLength, 'A', 'C')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        b = (a.substring(aLength / 3) + a.repeat(bLength)).substring(0, bLength);
        costs = random.longs(Math.max(aLength, bLength), 2, 6).toArray();
        return GapTiles.of(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8), 2, -3, costs);
    }

    private TileRun.Settings settings(int parts, Duration checkpoint) {
        return new TileRun.Settings(folder.resolve("tiles").toUri().toString(), "pair", parts, 0, checkpoint);
    }

    private void check(GapTiles tiles, TileFolder<long[][]> table) {
        Row expected = LocalSpark.session()
                .sql("SELECT gap_alignment('%s', '%s', 2, -3, cast(split('%s', ', ') AS ARRAY<BIGINT>))"
                        .formatted(a, b, Arrays.toString(costs).replaceAll("[\\[\\]]", "")))
                .head()
                .getStruct(0);
        assertThat(tiles.score(table.reader(0))).isEqualTo(expected.getLong(0));
        assertThat(tiles.cigar(table.reader(0))).isEqualTo(expected.getString(1));
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

    /** A driver that is cut off again and again, each time a bit later. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3600})
    void continues(int checkpointSeconds) {
        GapTiles tiles = pair(350, 200);
        Breaking<long[][]> breaking = new Breaking<>(tiles);
        Duration checkpoint = Duration.ofSeconds(checkpointSeconds);
        // 38 tasks in all, at most 4 in a wave
        for (int tasks : new int[] {5, 5, 6, 6}) {
            Breaking.left.set(tasks);
            assertThatThrownBy(() -> new TileRun<>(spark, breaking, settings(1, checkpoint), note -> {}).run())
                    .hasMessageContaining(Breaking.MESSAGE);
        }
        Breaking.left.set(Integer.MAX_VALUE);
        check(tiles, new TileRun<>(spark, breaking, settings(1, checkpoint), note -> {}).run());
    }
}
