package dev.bellman.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.GpuTest;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import dev.bellman.linear.Elimination.Strategy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares a single matrix on the GPU, moved in bands of large tiles as in a job, with the matrix in the heap. */
class LargeMatrixGpuTest extends GpuTest {
    private static final int PARTS = 2;
    private static final int EDGE = PARTS * MatrixPart.EDGE;
    private static final EliminationErrorContext CONTEXT = EliminationErrorContext.ofInput("lu");

    /** Returns a diagonally dominant matrix; if {@code solves} is true, a right-hand side is its last column. */
    private static double[][] dominant(int n, boolean solves) {
        SplittableRandom random = new SplittableRandom(n);
        double[][] matrix = new double[n][solves ? n + 1 : n];
        for (int i = 0; i < n; i++) {
            Arrays.setAll(matrix[i], j -> random.nextDouble() - 0.5);
            matrix[i][i] += n;
        }
        return matrix;
    }

    private static Grid<double[][]> zeros(EliminationTiles tiles) {
        return new Grid<>(PARTS, tiles::make);
    }

    private static double[][] onGpu(EliminationTiles tiles, Strategy strategy, double[]... matrix) {
        int n = matrix.length;
        int columns = matrix[0].length;
        double[][] result = new double[n][columns];
        try (EliminationGpu.Matrix gpu = tiles.onGpu(EDGE)) {
            for (int row = 0; row < n; row += EDGE) {
                for (int column = 0; column < columns; column += EDGE) {
                    Grid<double[][]> large = zeros(tiles);
                    for (int i = row; i < Math.min(n, row + EDGE); i++) {
                        for (int j = column; j < Math.min(columns, column + EDGE); j++) {
                            EliminationTiles.setCell(large, i - row, j - column, matrix[i][j]);
                        }
                    }
                    gpu.put(large, row, column);
                }
                gpu.upload(row, EDGE);
            }
            gpu.eliminate(strategy);
            for (int row = 0; row < n; row += EDGE) {
                gpu.download(row, EDGE);
                for (int column = 0; column < columns; column += EDGE) {
                    Grid<double[][]> large = zeros(tiles);
                    gpu.get(large, row, column);
                    for (int i = row; i < Math.min(n, row + EDGE); i++) {
                        for (int j = column; j < Math.min(columns, column + EDGE); j++) {
                            result[i][j] = EliminationTiles.cell(large, i - row, j - column);
                        }
                    }
                }
            }
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 96, 127, 128, 129, 192, 1_100})
    void asInTheHeap(int n) {
        for (boolean solves : new boolean[] {false, true}) {
            EliminationTiles tiles = new EliminationTiles(CONTEXT, n, solves, n + 1);
            double[][] matrix = dominant(n, solves);
            double[][] blocked = onGpu(tiles, Strategy.BLOCKED, matrix);
            double[][] recursive = onGpu(tiles, Strategy.R_WAY, matrix);
            tiles.eliminate(matrix, Strategy.SERIAL, 1);
            assertThat(blocked).as("blocked, %d %s", n, solves).isDeepEqualTo(matrix);
            assertThat(recursive).as("r-way, %d %s", n, solves).isDeepEqualTo(matrix);
        }
    }

    /** The first bad pivot is reported with its value, although the GPU continues after it. */
    @Test
    void badPivot() {
        double[][] matrix = dominant(500, false);
        matrix[300] = matrix[200].clone();
        EliminationTiles tiles = new EliminationTiles(CONTEXT, 500, false, 501);
        assertThatThrownBy(() -> tiles.eliminate(
                        Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new), Strategy.SERIAL, 1))
                .satisfies(expected -> assertThatThrownBy(() -> onGpu(tiles, Strategy.BLOCKED, matrix))
                        .hasMessage(expected.getMessage()))
                .hasMessageContaining("pivot 301 (counted from 1) is");
    }

    @Test
    void memory() {
        assertThat(EliminationTiles.gpuMemory()).isPositive();
    }

    /**
     * Tests large tiles, only some of which fit in the memory of the GPU and its host. With 768 rows, the right-hand
     * side is in a separate large tile.
     *
     * @param parts the number of tiles per side of a large tile
     */
    @ParameterizedTest
    @CsvSource({"100, 4, 3, 1", "767, 4, 3, 1", "768, 4, 4, 3", "900, 4, 5, 2", "1700, 8, 3, 8", "1536, 8, 20, 20"})
    void inLargeTiles(int n, int parts, int onGpu, int onHost, @TempDir Path folder) {
        for (boolean solves : new boolean[] {false, true}) {
            EliminationTiles tiles = new EliminationTiles(CONTEXT, n, solves, n + 1);
            double[][] matrix = dominant(n, solves);
            double[][] found = inLargeTiles(tiles, parts, onGpu, onHost, folder.resolve("" + solves), matrix);
            tiles.eliminate(matrix, Strategy.SERIAL, 1);
            assertThat(found).as("%d %s", n, solves).isDeepEqualTo(matrix);
        }
    }

    private static double[][] inLargeTiles(
            EliminationTiles tiles, int parts, int onGpu, int onHost, Path folder, double[]... matrix) {
        long size = (long) parts * parts * tiles.bytes();
        int edge = MatrixPart.EDGE;
        int side = Grid.tiles(tiles.side(), parts);
        List<Tile> all = IntStream.range(0, side * side)
                .mapToObj(i -> new Tile(i / side, i % side))
                .toList();
        double[][] found = new double[tiles.rows()][tiles.columns()];
        try (LevelTable<double[][]> table = new LevelTable<>(tiles, parts, onGpu * size, onHost * size, folder)) {
            table.put(
                    all,
                    large -> new Grid<>(parts, part -> {
                        Tile place = large.part(parts, part.row(), part.column());
                        return tiles.has(place) ? tile(tiles, place, matrix) : null;
                    }));
            Schedule.blocked(side).run(tiles.pattern(), side, table::run);
            table.finish();
            table.get(all, (large, content) -> {
                for (int i = large.row() * parts * edge;
                        i < Math.min(found.length, (large.row() + 1) * parts * edge);
                        i++) {
                    for (int j = large.column() * parts * edge;
                            j < Math.min(tiles.columns(), (large.column() + 1) * parts * edge);
                            j++) {
                        found[i][j] = EliminationTiles.cell(content, i % (parts * edge), j % (parts * edge));
                    }
                }
            });
        }
        return found;
    }

    private static double[][] tile(EliminationTiles tiles, Tile place, double[]... matrix) {
        double[][] tile = tiles.make(place);
        int edge = MatrixPart.EDGE;
        for (int i = 0; i < edge && place.row() * edge + i < tiles.rows(); i++) {
            for (int j = 0; j < edge && place.column() * edge + j < tiles.columns(); j++) {
                tile[i][j] = matrix[place.row() * edge + i][place.column() * edge + j];
            }
        }
        return tile;
    }

    @Test
    void badPivotInLargeTiles(@TempDir Path folder) {
        double[][] matrix = dominant(800, false);
        matrix[500] = matrix[450].clone();
        EliminationTiles tiles = new EliminationTiles(CONTEXT, 800, false, 801);
        assertThatThrownBy(() -> tiles.eliminate(
                        Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new), Strategy.SERIAL, 1))
                .satisfies(expected -> assertThatThrownBy(() -> inLargeTiles(tiles, 4, 3, 2, folder, matrix))
                        .hasMessage(expected.getMessage()))
                .hasMessageContaining("pivot 501 (counted from 1) is");
    }
}
