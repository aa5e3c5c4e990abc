package dev.bellman.align.gap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import dev.bellman.align.Text;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the gap problem in large tiles on the GPU with the same tiles on the CPU; the GPU and its host have memory
 * for only some of the tiles.
 */
class LargeGapGpuTest extends GpuTest {
    /** The shapes of cost functions, which return the cost of a gap of k letters. */
    private enum Shape {
        RANDOM,
        ZERO,
        HUGE,
        /** Every second length is costly. */
        ALTERNATING,
        /** Long gaps are cheap. */
        FALLING;

        long[] costs(int letters, long most, SplittableRandom random) {
            return LongStream.range(0, letters)
                    .map(k -> switch (this) {
                        case RANDOM -> random.nextLong(most + 1);
                        case ZERO -> 0;
                        case HUGE -> most;
                        case ALTERNATING -> k % 2 == 0 ? most : 0;
                        case FALLING -> most - k * (most / letters);
                    })
                    .toArray();
        }
    }

    @TempDir
    Path folder;

    private Map<Tile, long[][]> onGpu(GapTiles tiles, int parts, int onGpu, int onHost) {
        int side = Grid.tiles(tiles.side(), parts);
        long size = (long) parts * parts * tiles.bytesOnGpu();
        List<Tile> all = IntStream.range(0, side * side)
                .mapToObj(i -> new Tile(i / side, i % side))
                .filter(large -> tiles.has(large.part(parts, 0, 0)))
                .toList();
        Map<Tile, long[][]> found = new ConcurrentHashMap<>();
        try (LevelTable<long[][]> table = new LevelTable<>(tiles, parts, onGpu * size, onHost * size, folder)) {
            table.put(
                    all,
                    large -> new Grid<>(parts, part -> {
                        Tile place = large.part(parts, part.row(), part.column());
                        return tiles.has(place) ? tiles.make(place) : null;
                    }));
            Schedule.blocked(side).run(tiles.pattern(), side, wave -> {
                List<Task> tasks = wave.stream()
                        .filter(task -> all.contains(task.target()))
                        .toList();
                if (!tasks.isEmpty()) {
                    table.run(tasks);
                }
            });
            table.finish();
            table.get(all, (large, content) -> {
                for (int part = 0; part < parts * parts; part++) {
                    Tile place = large.part(parts, part / parts, part % parts);
                    if (tiles.has(place)) {
                        found.put(place, content.get(part / parts, part % parts));
                    }
                }
            });
            if (onGpu < all.size()) {
                assertThat(table.moved().get(LevelTable.FROM_GPU)).isPositive();
            }
            if (onGpu + onHost < all.size()) {
                assertThat(table.moved().get(LevelTable.FROM_DISK)).isPositive();
            }
        }
        return found;
    }

    /** Asserts that all cells, the score and the alignment equal those of the CPU. */
    private void compare(GapTiles tiles, int parts, int onGpu, int onHost) {
        Map<Tile, long[][]> found = onGpu(tiles, parts, onGpu, onHost);
        Grid<long[][]> expected = new Grid<>(tiles.side(), tile -> tiles.has(tile) ? tiles.make(tile) : null);
        int threads = Runtime.getRuntime().availableProcessors();
        Schedule.blocked(tiles.side()).execute(tiles.pattern(), tiles.side(), threads, task -> {
            if (tiles.has(task.target())) {
                tiles.run(task, expected.get(task.target()), expected.get(task.sources()));
            }
        });
        int edge = tiles.edge();
        found.forEach((tile, content) -> {
            for (int line = 0; line < 2 * edge; line++) {
                if (tile.row() * edge + line % edge <= tiles.aLength()) {
                    int columns = Math.min(edge, tiles.bLength() + 1 - tile.column() * edge);
                    assertThat(content[line])
                            .as("%s, line %d", tile, line)
                            .startsWith(Arrays.copyOf(expected.get(tile)[line], columns));
                }
            }
        });
        assertThat(tiles.score(found::get)).isEqualTo(tiles.score(expected::get));
        assertThat(tiles.cigar(found::get)).isEqualTo(tiles.cigar(expected::get));
    }

    private static Text text(int letters, SplittableRandom random) {
        return Text.of(random.ints(letters, 'A', 'D')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString());
    }

    /** The largest score or cost is chosen so that sums fit in 28 bits, exceed 28 bits, or just fit in 60 bits. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 6, 4, 4, 1",
        "1, 1, 6, 4, 4, 1",
        "383, 384, 6, 4, 4, 1",
        "384, 383, 349981, 4, 4, 1",
        "384, 383, 349982, 4, 4, 1",
        "700, 1100, 640511947003803, 4, 4, 1",
        "767, 768, 6, 4, 4, 1",
        "1200, 800, 134217, 4, 4, 2",
        "1200, 800, 576460752303423, 4, 5, 3",
        "1900, 100, 6, 4, 4, 1",
        "100, 1900, 6, 4, 4, 1",
        "1700, 400, 6, 8, 4, 1",
        "400, 1800, 1000000, 16, 4, 1",
    })
    void asOnTheCpu(int aLength, int bLength, long most, int parts, int onGpu, int onHost) {
        for (Shape shape : Shape.values()) {
            SplittableRandom random = new SplittableRandom(aLength + 31L * bLength + shape.ordinal());
            GapScores scores =
                    new GapScores(most, -most, shape.costs(aLength, most, random), shape.costs(bLength, most, random));
            Text a = text(aLength, random);
            Text b = text(bLength, random);
            compare(GapTiles.of(a, b, scores, GapTiles.EDGE), parts, onGpu, onHost);
        }
    }
}
