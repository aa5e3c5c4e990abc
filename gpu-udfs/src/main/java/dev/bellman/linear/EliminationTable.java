package dev.bellman.linear;

import dev.bellman.columns.Cancellation;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A matrix on which elimination is performed in place, optionally with a right-hand side as its last column. The result
 * contains U on and above the diagonal, and the multipliers of L below it.
 */
final class EliminationTable {
    /** A power of two with this exponent is infinite; with the negative exponent, it is 0. */
    private static final int MAX_SCALE = 2000;

    private final int n;
    private final double[][] rows;
    private final int columns;
    private final EliminationPivots pivots;
    /** For each row, its index before any rows were exchanged. */
    private final int[] permutation;

    /** The sign of the permutation; 0 if partial pivoting found a pivot of 0. */
    private int sign = 1;

    /** @param rows the rows, with n entries each, or n + 1 entries with a right-hand side */
    EliminationTable(EliminationPivots pivots, double[][] rows) {
        n = rows.length;
        this.rows = rows;
        columns = rows[0].length;
        this.pivots = pivots;
        permutation = IntStream.range(0, n).toArray();
    }

    /** @param b the right-hand side, or null */
    static EliminationTable of(String function, double[][] matrix, double[] b, boolean pivoting) {
        double largest = 0;
        for (double[] row : matrix) {
            for (double entry : row) {
                largest = Math.max(largest, Math.abs(entry));
            }
        }
        int n = matrix.length;
        if (b != null) {
            for (int i = 0; i < n; i++) {
                matrix[i] = Arrays.copyOf(matrix[i], n + 1);
                matrix[i][n] = b[i];
            }
        }
        return new EliminationTable(
                new EliminationPivots(EliminationErrorContext.ofFunction(function), n, b != null, largest, pivoting),
                matrix);
    }

    void eliminate() {
        new MatrixPart(rows, 0, n, 0, columns).eliminate(pivots, 0);
    }

    void eliminateRWay(int threads) {
        run(Schedule.twoWay(side()), threads);
    }

    void eliminateBlocked(int threads) {
        run(Schedule.blocked(side()), threads);
    }

    /**
     * Eliminates with partial pivoting, as defined in {@link Elimination}.
     *
     * @param factors whether the factors are needed; otherwise, the elimination ends at a pivot of 0
     * @param edge the number of columns of a panel, whose pivots are found before the other columns are processed
     */
    void eliminatePivoting(boolean factors, int edge) {
        for (int first = 0; first < n && (factors || sign != 0); first += edge) {
            int last = Math.min(n, first + edge);
            eliminatePanel(first, last, factors);
            MatrixPart diagonal = new MatrixPart(rows, first, last, first, last);
            MatrixPart below = new MatrixPart(rows, last, n, first, last);
            for (int left = last; left < columns; left += edge) {
                Cancellation.check();
                int right = Math.min(columns, left + edge);
                MatrixPart above = new MatrixPart(rows, first, last, left, right);
                MatrixPart.run(TileKernel.B, above, List.of(diagonal), pivots, 0);
                MatrixPart.run(
                        TileKernel.D, new MatrixPart(rows, last, n, left, right), List.of(below, above), pivots, 0);
            }
        }
    }

    private void eliminatePanel(int first, int last, boolean factors) {
        Cancellation cancellation = new Cancellation();
        for (int k = first; k < last; k++) {
            cancellation.count((long) (n - k) * (last - k));
            int best = k;
            for (int i = k; i < n; i++) {
                pivots.checkFinite(rows[i][k]);
                best = Math.abs(rows[i][k]) > Math.abs(rows[best][k]) ? i : best;
            }
            if (best != k) {
                exchange(k, best);
            }
            double pivot = rows[k][k];
            pivots.check(k, pivot);
            sign = pivot == 0 ? 0 : sign;
            if (pivot == 0 && !factors) {
                return;
            }
            for (int i = k + 1; i < n; i++) {
                rows[i][k] = pivot == 0 ? 0 : rows[i][k] / pivot;
                MatrixPart.subtract(rows[i], rows[i][k], rows[k], k + 1, last);
            }
        }
    }

    private void exchange(int k, int best) {
        double[] row = rows[k];
        rows[k] = rows[best];
        rows[best] = row;
        int index = permutation[k];
        permutation[k] = permutation[best];
        permutation[best] = index;
        sign = -sign;
    }

    private int side() {
        return Grid.tiles(columns, MatrixPart.EDGE);
    }

    private void run(Schedule schedule, int threads) {
        Grid<MatrixPart> grid = new Grid<>(side(), this::part);
        schedule.execute(Pattern.ELIMINATION, grid.side(), threads, task -> {
            Cancellation.check();
            MatrixPart.run(task.kernel(), grid.get(task.target()), grid.get(task.sources()), pivots, 0);
        });
    }

    private MatrixPart part(Tile tile) {
        int top = Math.min(n, tile.row() * MatrixPart.EDGE);
        int left = tile.column() * MatrixPart.EDGE;
        return new MatrixPart(
                rows, top, Math.min(n, top + MatrixPart.EDGE), left, Math.min(columns, left + MatrixPart.EDGE));
    }

    /** Returns, for each row, its index before any rows were exchanged. */
    int[] permutation() {
        return permutation;
    }

    double[][] lower() {
        double[][] lower = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                lower[i][k] = rows[i][k];
            }
            lower[i][i] = 1;
        }
        return lower;
    }

    double[][] upper() {
        double[][] upper = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                upper[i][j] = rows[i][j];
            }
        }
        return upper;
    }

    double determinant() {
        double product = 1;
        for (int k = 0; k < n; k++) {
            product *= rows[k][k];
        }
        return product;
    }

    /** Returns the determinant after partial pivoting. */
    double determinantPivoting() {
        return sign == 0
                ? 0
                : product(
                        sign, IntStream.range(0, n).mapToDouble(k -> rows[k][k]).toArray());
    }

    /**
     * Multiplies a sign by pivots that are not zero. The exponents of partial products are stored separately, so only
     * the result can exceed the range of DOUBLE.
     */
    static double product(int sign, double... pivots) {
        double product = sign;
        long exponent = 0;
        for (double pivot : pivots) {
            int ofPivot = Math.getExponent(pivot);
            product *= Math.scalb(pivot, -ofPivot);
            int ofProduct = Math.getExponent(product);
            product = Math.scalb(product, -ofProduct);
            exponent += ofPivot + ofProduct;
        }
        return Math.scalb(product, (int) Math.max(-MAX_SCALE, Math.min(MAX_SCALE, exponent)));
    }

    double[] solution() {
        double[] x = new double[n];
        for (int k = n - 1; k >= 0; k--) {
            x[k] = rows[k][n] / rows[k][k];
            pivots.checkFinite(x[k]);
            for (int i = 0; i < k; i++) {
                rows[i][n] = Math.fma(-rows[i][k], x[k], rows[i][n]);
            }
        }
        return x;
    }
}
