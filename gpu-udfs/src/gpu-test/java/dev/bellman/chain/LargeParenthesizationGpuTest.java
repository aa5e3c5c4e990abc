package dev.bellman.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import dev.bellman.chain.matrix.MatrixChainTiles;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares parenthesizations in large tiles on the GPU with the same tiles on the CPU; the GPU and its host have memory
 * for only some of the tiles.
 */
class LargeParenthesizationGpuTest extends GpuTest {
    private static final int EDGE = ParenthesizationTiles.EDGE;

    /** The shapes of a chain's dimensions, which determine which splits may be optimal. */
    private enum Shape {
        RANDOM,
        GROWING,
        /** All splits may be optimal. */
        VALLEY,
        /** Only a few splits may be optimal. */
        HILL,
        EQUAL;

        long[] dims(int matrices, long most) {
            SplittableRandom random = new SplittableRandom(matrices);
            long step = Math.max(1, most / (matrices + 1));
            return LongStream.rangeClosed(0, matrices)
                    .map(i -> switch (this) {
                        case RANDOM -> random.nextLong(1, most + 1);
                        case GROWING -> 1 + i * most / (matrices + 1);
                        case VALLEY -> 1 + Math.abs(2 * i - matrices) * step;
                        case HILL -> 1 + (matrices - Math.abs(2 * i - matrices)) * step;
                        case EQUAL -> most;
                    })
                    .toArray();
        }
    }

    @TempDir
    Path folder;

    private <T> Map<Tile, T> onGpu(
            ParenthesizationTiles<T> tiles, int parts, int onGpu, int onHost, Function<Tile, T> given) {
        int side = Grid.tiles(tiles.side(), parts);
        long size = (long) parts * parts * tiles.bytesOnGpu();
        List<Tile> all = IntStream.range(0, side * side)
                .mapToObj(i -> new Tile(i / side, i % side))
                .filter(tile -> tile.row() <= tile.column())
                .toList();
        Map<Tile, T> found = new ConcurrentHashMap<>();
        try (LevelTable<T> table = new LevelTable<>(tiles, parts, onGpu * size, onHost * size, folder)) {
            table.put(
                    all,
                    large -> new Grid<>(parts, part -> {
                        Tile place = large.part(parts, part.row(), part.column());
                        return tiles.has(place) ? given.apply(place) : null;
                    }));
            Schedule.blocked(side).run(tiles.pattern(), side, table::run);
            table.finish();
            table.get(all, (large, content) -> {
                for (int row = 0; row < parts; row++) {
                    for (int column = 0; column < parts; column++) {
                        Tile place = large.part(parts, row, column);
                        if (tiles.has(place)) {
                            found.put(place, content.get(row, column));
                        }
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

    /**
     * Asserts that all cells, and the splits that are derived from them, equal those of the CPU.
     *
     * @param splits whether splits are compared, which requires that the cost of all leaves fits
     */
    private <T> void compare(
            ParenthesizationTiles<T> tiles, int parts, int onGpu, int onHost, boolean splits, Function<Tile, T> given) {
        Map<Tile, T> found = onGpu(tiles, parts, onGpu, onHost, given);
        Grid<T> expected = new Grid<>(tiles.side(), tile -> tiles.has(tile) ? given.apply(tile) : null);
        int threads = Runtime.getRuntime().availableProcessors();
        Schedule.blocked(tiles.side())
                .execute(
                        tiles.pattern(),
                        tiles.side(),
                        threads,
                        task -> tiles.run(task, expected.get(task.target()), expected.get(task.sources())));
        found.forEach((tile, content) ->
                assertThat(bytes(tiles, content)).as("%s", tile).isEqualTo(bytes(tiles, expected.get(tile))));
        if (splits) {
            assertThat(tiles.splits(found::get)).isEqualTo(tiles.splits(expected::get));
        }
    }

    private static <T> ByteBuffer bytes(ParenthesizationTiles<T> tiles, T tile) {
        ByteBuffer bytes = ByteBuffer.allocate(tiles.bytes());
        tiles.write(tile, bytes);
        return bytes.flip();
    }

    private void chains(int matrices, long most, int parts, int onGpu, int onHost) {
        for (Shape shape : Shape.values()) {
            long[] dims = shape.dims(matrices, most);
            MatrixChainTiles tiles = MatrixChainTiles.of(dims);
            compare(tiles, parts, onGpu, onHost, most < 1_000_000, tiles::make);
        }
    }

    /** The largest dimension is chosen so that costs fit in 31 bits or in a double, or so that some exceed 63 bits. */
    @ParameterizedTest
    @CsvSource({
        "1, 9, 1, 3, 1",
        "127, 9, 1, 3, 1",
        "128, 9, 1, 3, 1",
        "129, 9, 2, 3, 1",
        "700, 9, 1, 3, 1",
        "700, 1000, 1, 5, 4",
        "700, 3000000, 1, 4, 2",
        "1100, 9, 2, 3, 8",
        "1100, 3000000, 4, 3, 2",
        "2100, 100, 16, 3, 1",
        "2100, 3, 32, 8, 8",
    })
    void asOnTheCpu(int matrices, long most, int parts, int onGpu, int onHost) {
        chains(matrices, most, parts, onGpu, onHost);
    }

    private void weights(int leaves, long most, boolean doubles, int parts, int onGpu, int onHost, boolean splits) {
        weights(
                (ParenthesizationTiles<?>) SumTiles.of(leaves, doubles, most),
                most,
                doubles,
                parts,
                onGpu,
                onHost,
                splits);
    }

    private <T> void weights(
            ParenthesizationTiles<T> tiles,
            long most,
            boolean doubles,
            int parts,
            int onGpu,
            int onHost,
            boolean splits) {
        @SuppressWarnings("unchecked")
        SumTiles<T> sums = (SumTiles<T>) tiles;
        compare(tiles, parts, onGpu, onHost, splits, place -> {
            T tile = tiles.make(place);
            SplittableRandom random = new SplittableRandom(place.row() * 1_000L + place.column());
            for (int i = place.row() * EDGE; i < (place.row() + 1) * EDGE; i++) {
                for (int j = Math.max(i + 1, place.column() * EDGE);
                        j < (place.column() + 1) * EDGE && j <= tiles.leaves;
                        j++) {
                    long cost = random.nextLong(most);
                    sums.set(tile, i, j, doubles ? Double.doubleToRawLongBits(cost / 3.0) : cost);
                }
            }
            return tile;
        });
    }

    /**
     * Tests costs that fit in 31 bits, costs that fit in a double, and costs that fit in 63 bits although their upper
     * bound does not.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 100, false, 1, 3, 1",
        "128, 100, false, 1, 3, 1",
        "700, 100, false, 1, 3, 1",
        "700, 1000000000, false, 2, 4, 2",
        "700, 10000000000000000, false, 1, 5, 4",
        "700, 1000, true, 1, 4, 4",
        "1100, 1000, false, 4, 3, 1",
        "1100, 1000, true, 2, 3, 1",
        "2100, 1000, false, 16, 3, 1",
    })
    void weighted(int leaves, long most, boolean doubles, int parts, int onGpu, int onHost) {
        weights(leaves, most, doubles, parts, onGpu, onHost, true);
    }

    /** Most costs exceed 63 bits, but some do not. */
    @Test
    void overflow() {
        weights(600, Long.MAX_VALUE / 20, false, 2, 3, 2, false);
    }
}
