package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.chain.DoubleSumTable;
import dev.bellman.chain.LongSumTable;
import dev.bellman.chain.SumTiles;
import dev.bellman.chain.matrix.MatrixChain;
import dev.bellman.chain.matrix.MatrixChainTiles;
import dev.bellman.job.LocalSpark;
import dev.bellman.large.levels.LevelSizes;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TiledProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares triangular tables that are computed in GPU memory, host memory and files with the same tables computed as a
 * whole.
 */
class ParenthesizationLevelsTest {
    @TempDir
    Path folder;

    /**
     * Runs the textbook's loops, for a chain with dimensions or for weights. This class is not a record, because Kryo
     * cannot serialize records.
     */
    private static final class Loops implements SimulatedGpu.Cells {
        private static final long serialVersionUID = 1L;

        private final int bytes;
        private final int leaves;
        private final long[] dims;

        Loops(int bytes, int leaves, long... dims) {
            this.bytes = bytes;
            this.leaves = leaves;
            this.dims = dims;
        }

        @Override
        public int bytes() {
            return bytes;
        }

        @Override
        public boolean run(SimulatedGpu.Arrays arrays, LargeTask task) {
            int row = task.task().target().row() * task.pitch();
            int column = task.task().target().column() * task.pitch();
            double[][] cells = arrays.get(task.cells(), task.down(), task.across());
            double[][] weights = dims.length > 0
                    ? null
                    : arrays.get(task.cells() + (long) task.pitch() * task.pitch() * bytes, task.down(), task.across());
            boolean product = task.task().kernel() == TileKernel.D;
            boolean diagonal = task.task().kernel() == TileKernel.A;
            double[][] left = diagonal ? cells : arrays.get(task.columns(), task.down(), task.pitch());
            double[][] below = diagonal ? cells : arrays.get(task.rows(), task.pitch(), task.across());
            int middle = product ? task.task().sources().get(0).column() * task.pitch() : row;
            for (int i = task.down() - 1; i >= 0; i--) {
                for (int j = 0; j < task.across() && column + j <= leaves; j++) {
                    if (product) {
                        for (int k = 0; k < task.pitch(); k++) {
                            lower(cells, i, j, left[i][k] + below[k][j] + product(row + i, middle + k, column + j));
                        }
                        continue;
                    }
                    if (column + j < row + i + 2) {
                        continue;
                    }
                    for (int k = row + i + 1; k < Math.min(row + task.pitch(), column + j); k++) {
                        lower(cells, i, j, left[i][k - row] + cells[k - row][j] + product(row + i, k, column + j));
                    }
                    for (int k = Math.max(column, row + i + 1); k < column + j; k++) {
                        lower(
                                cells,
                                i,
                                j,
                                cells[i][k - column] + below[k - column][j] + product(row + i, k, column + j));
                    }
                    cells[i][j] += weights == null ? 0 : weights[i][j];
                }
            }
            arrays.set(task.cells(), cells);
            return true;
        }

        private static void lower(double[][] cells, int i, int j, double candidate) {
            cells[i][j] = Math.min(cells[i][j], candidate);
        }

        private double product(int i, int k, int j) {
            return dims.length == 0 ? 0 : (double) (dims[i] * dims[k] * dims[j]);
        }
    }

    /** Computes a table from given tiles. Returns a function that finds a finished tile. */
    private <T> Function<Tile, T> solve(
            TiledProblem<T> problem,
            SimulatedGpu.Cells cells,
            int parts,
            int onGpu,
            int onHost,
            Function<Tile, T> given) {
        long size = (long) parts * parts * problem.bytesOnGpu();
        int side = Grid.tiles(problem.side(), parts);
        Map<Tile, Grid<T>> found = new ConcurrentHashMap<>();
        try (LevelTable<T> table =
                new LevelTable<>(new OnSimulatedGpu<>(problem, cells), parts, onGpu * size, onHost * size, folder)) {
            var all = IntStream.range(0, side * side)
                    .mapToObj(i -> new Tile(i / side, i % side))
                    .filter(tile -> tile.row() <= tile.column())
                    .toList();
            table.put(
                    all,
                    large -> new Grid<>(parts, part -> {
                        Tile place = large.part(parts, part.row(), part.column());
                        return problem.has(place) ? given.apply(place) : null;
                    }));
            Schedule.blocked(side).run(problem.pattern(), side, table::run);
            table.finish();
            table.get(all, found::put);
            if (onGpu + onHost < all.size()) {
                assertThat(table.moved().get(LevelTable.FROM_DISK)).isPositive();
            }
        }
        return tile -> found.get(new Tile(tile.row() / parts, tile.column() / parts))
                .get(tile.row() % parts, tile.column() % parts);
    }

    private static long[] dims(int matrices, int most) {
        return new SplittableRandom(matrices).longs(matrices + 1L, 1, most).toArray();
    }

    private static void check(MatrixChainTiles tiles, Function<Tile, long[][]> finished, long... dims) {
        MatrixChain.Solution expected = MatrixChain.solve(dims, MatrixChain.Strategy.TABLE);
        MatrixChain.Solution found = tiles.solution(finished);
        assertThat(found.cost()).isEqualTo(expected.cost());
        assertThat(found.splits()).isEqualTo(expected.splits());
        assertThat(found.order()).isEqualTo(expected.order());
    }

    /**
     * Tests costs that fit in 31 bits, and costs that do not.
     *
     * @param onGpu the number of large tiles that fit in GPU memory
     * @param onHost the number of large tiles that fit in host memory
     */
    @ParameterizedTest
    @CsvSource({
        "1, 9, 1, 3, 1",
        "128, 9, 1, 3, 1",
        "650, 9, 1, 3, 1",
        "650, 9, 1, 4, 3",
        "650, 1000, 2, 3, 2",
        "520, 1000, 1, 20, 20",
    })
    void chains(int matrices, int most, int parts, int onGpu, int onHost) {
        long[] dims = dims(matrices, most);
        MatrixChainTiles tiles = MatrixChainTiles.of(dims);
        SimulatedGpu.Cells cells = new Loops(most == 9 ? Integer.BYTES : Double.BYTES, matrices, dims);
        check(tiles, solve(tiles, cells, parts, onGpu, onHost, tiles::make), dims);
    }

    @ParameterizedTest
    @CsvSource({"400, false, 100, 1, 3, 1", "400, false, 100000000, 1, 4, 2", "400, true, 100, 2, 3, 2"})
    void weights(int leaves, boolean doubles, int most, int parts, int onGpu, int onHost) {
        weights(SumTiles.of(leaves, doubles, most), leaves, doubles, most, parts, onGpu, onHost);
    }

    private <T> void weights(
            SumTiles<T> tiles, int leaves, boolean doubles, int most, int parts, int onGpu, int onHost) {
        long[][] given = new long[leaves + 1][leaves + 1];
        SplittableRandom random = new SplittableRandom(leaves);
        for (long[] row : given) {
            for (int j = 0; j < row.length; j++) {
                row[j] = random.nextInt(most);
            }
        }
        Function<Tile, T> finished = solve(
                tiles,
                new Loops(doubles || most > 100 ? Double.BYTES : Integer.BYTES, leaves),
                parts,
                onGpu,
                onHost,
                place -> {
                    T tile = tiles.make(place);
                    int edge = tiles.edge();
                    for (int i = place.row() * edge; i < (place.row() + 1) * edge; i++) {
                        for (int j = Math.max(i + 1, place.column() * edge);
                                j < (place.column() + 1) * edge && j <= leaves;
                                j++) {
                            tiles.set(
                                    tile, i, j, doubles ? Double.doubleToRawLongBits(given[i][j] / 3.0) : given[i][j]);
                        }
                    }
                    return tile;
                });
        if (doubles) {
            DoubleSumTable expected = new DoubleSumTable(
                    IntStream.range(0, leaves)
                            .mapToDouble(i -> given[i][i + 1] / 3.0)
                            .toArray(),
                    (i, j) -> given[i - 1][j] / 3.0);
            expected.fill();
            assertThat(tiles.cost(finished)).isEqualTo(expected.cost());
            assertThat(tiles.splits(finished)).isEqualTo(expected.splits());
        } else {
            LongSumTable expected = new LongSumTable(
                    IntStream.range(0, leaves).mapToLong(i -> given[i][i + 1]).toArray(),
                    (i, j) -> given[i - 1][j],
                    2L * leaves * most);
            expected.fill();
            assertThat(tiles.cost(finished)).isEqualTo(expected.cost());
            assertThat(tiles.splits(finished)).isEqualTo(expected.splits());
        }
    }

    /** The GPU has room for 24 tiles and their weights. */
    @Test
    void largestTiles() {
        SumTiles<?> tiles = SumTiles.of(131_071, false, 1_000);
        assertThat(tiles.edge() * LevelSizes.parts(tiles, 24L * 8_192 * 8_192 * 8))
                .isEqualTo(8_192);
        assertThat(tiles.edge() * LevelSizes.parts(tiles, 24L * 8_192 * 8_192 * 8 - 1))
                .isEqualTo(4_096);
        assertThat(LevelSizes.parts(tiles, 1)).isEqualTo(1);
    }

    /** Runs in the same way as a job, with checkpoints. */
    @Test
    void asRun() throws IOException {
        long[] dims = dims(300, 9);
        MatrixChainTiles tiles = MatrixChainTiles.of(dims);
        TileSettings settings = new TileSettings(
                folder.resolve("tiles").toUri().toString(),
                "chain",
                1,
                tiles.bytesOnGpu(),
                Duration.ZERO,
                new TileSettings.Gpu(
                        3L * tiles.bytesOnGpu(),
                        Files.createDirectories(folder.resolve("local")).toString()));
        TileRun<long[][]> run = new TileRun<>(
                JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext()),
                new OnSimulatedGpu<>(tiles, new Loops(Integer.BYTES, 300, dims)),
                settings,
                note -> {});
        check(tiles, run.run().reader(0), dims);
    }
}
