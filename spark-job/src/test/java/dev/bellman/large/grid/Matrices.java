package dev.bellman.large.grid;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import dev.bellman.linear.EliminationErrorContext;
import dev.bellman.linear.EliminationTiles;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;

/** Generates matrices for tests. In tiles, the last column of a matrix is a right-hand side. */
public final class Matrices {
    static final String GIVEN = "given";

    private Matrices() {}

    /**
     * Returns a diagonally dominant matrix with {@code n} rows and {@code columns} columns; {@code columns} must be at
     * least {@code n}.
     */
    public static double[][] dominant(int n, int columns) {
        SplittableRandom random = new SplittableRandom(n);
        double[][] matrix = new double[n][columns];
        for (int i = 0; i < n; i++) {
            Arrays.setAll(matrix[i], j -> random.nextDouble() - 0.5);
            matrix[i][i] += n;
        }
        return matrix;
    }

    /** Returns U, and the multipliers below its diagonal, computed with the textbook's loops. */
    public static double[][] eliminated(double[]... matrix) {
        double[][] a = Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new);
        for (int k = 0; k < a.length; k++) {
            for (int i = k + 1; i < a.length; i++) {
                a[i][k] /= a[k][k];
                for (int j = k + 1; j < a[i].length; j++) {
                    a[i][j] = Math.fma(-a[i][k], a[k][j], a[i][j]);
                }
            }
        }
        return a;
    }

    static EliminationTiles tiles(int n) {
        return new EliminationTiles(EliminationErrorContext.ofInput("elimination"), n, true, n + 1);
    }

    /** Writes the tiles of a matrix. Returns the name of the tiles' folder within the run's folder. */
    static String write(double[][] matrix, Path run, int parts) {
        TileFolder<double[][]> folder = folder(matrix.length, run, parts);
        for (int row = 0; row < folder.side(); row++) {
            for (int column = 0; column < folder.side(); column++) {
                Tile tile = new Tile(row, column);
                Grid<double[][]> cells = folder.make(tile);
                for (int i = row * folder.edge(); i < Math.min(matrix.length, (row + 1) * folder.edge()); i++) {
                    for (int j = column * folder.edge();
                            j < Math.min(matrix.length + 1, (column + 1) * folder.edge());
                            j++) {
                        EliminationTiles.setCell(
                                cells, i - row * folder.edge(), j - column * folder.edge(), matrix[i][j]);
                    }
                }
                folder.write(tile, cells);
            }
        }
        return GIVEN;
    }

    private static TileFolder<double[][]> folder(int n, Path run, int parts) {
        return new TileFolder<>(tiles(n), parts, run.toUri().toString(), GIVEN, new Configuration());
    }

    static double[][] read(TileFolder<double[][]> table, int n) {
        double[][] matrix = new double[n][n + 1];
        for (int row = 0; row < table.side(); row++) {
            for (int column = 0; column < table.side(); column++) {
                Grid<double[][]> cells = table.read(new Tile(row, column));
                for (int i = row * table.edge(); i < Math.min(n, (row + 1) * table.edge()); i++) {
                    for (int j = column * table.edge(); j < Math.min(n + 1, (column + 1) * table.edge()); j++) {
                        matrix[i][j] = EliminationTiles.cell(cells, i - row * table.edge(), j - column * table.edge());
                    }
                }
            }
        }
        return matrix;
    }
}
