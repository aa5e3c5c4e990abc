package dev.bellman.bench.tiles;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.bench.tiles.EliminationProblem.Check;
import dev.bellman.bench.tiles.EliminationProblem.Matrix;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.linear.Elimination.Strategy;
import dev.bellman.linear.EliminationTiles;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EliminationProblemTest {
    private static final int N = 900;
    private static final int PARTS = 4;

    private static double[][] factors(Matrix matrix) {
        double[][] rows = new double[N][];
        Arrays.setAll(rows, i -> matrix.row(i, new double[N]));
        matrix.tiles().eliminate(rows, Strategy.BLOCKED, 2);
        return rows;
    }

    private static void checkRows(Matrix matrix, double[]... factors) {
        Check check = new Check(matrix);
        for (int i = 0; i < N; i++) {
            check.add(i, factors[i]);
        }
        check.end("rows");
    }

    /** Adds the factors to the check as large tiles; the tile on the diagonal comes last. */
    private static void checkTiles(Matrix matrix, double[]... factors) {
        EliminationTiles tiles = matrix.tiles();
        int edge = tiles.edge();
        Check check = new Check(matrix);
        for (int row = 0; row < 3; row++) {
            for (int column : List.of((row + 1) % 3, (row + 2) % 3, row)) {
                Tile large = new Tile(row, column);
                check.add(
                        large,
                        new Grid<>(PARTS, part -> {
                            Tile place = large.part(PARTS, part.row(), part.column());
                            double[][] tile = tiles.make(place);
                            for (int i = 0; i < edge && place.row() * edge + i < N; i++) {
                                for (int j = 0; j < edge && place.column() * edge + j < N; j++) {
                                    tile[i][j] = factors[place.row() * edge + i][place.column() * edge + j];
                                }
                            }
                            return tile;
                        }),
                        edge);
            }
        }
        check.end("tiles");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void rightFactorsPass(long seed) {
        Matrix matrix = new Matrix(N, seed);
        double[][] factors = factors(matrix);
        checkRows(matrix, factors);
        checkTiles(matrix, factors);
    }

    /** Changes a cell by less than a single product of the elimination contributes to it. */
    @ParameterizedTest
    @CsvSource({"0, 0", "899, 899", "450, 3", "3, 450", "898, 400", "400, 898"})
    void aWrongCellFails(int row, int column) {
        Matrix matrix = new Matrix(N, 1);
        double[][] factors = factors(matrix);
        // a cell of L is multiplied by a pivot
        factors[row][column] += row > column ? 1e-4 / N : 1e-4;
        assertThatThrownBy(() -> checkRows(matrix, factors)).hasMessageContaining("elimination of 900 rows by rows");
        assertThatThrownBy(() -> checkTiles(matrix, factors)).hasMessageContaining("elimination of 900 rows by tiles");
    }
}
