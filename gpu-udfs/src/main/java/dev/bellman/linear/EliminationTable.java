package dev.bellman.linear;

import dev.bellman.tiles.Grid;
import dev.bellman.tiles.Pattern;
import dev.bellman.tiles.Schedule;
import dev.bellman.tiles.Tile;
import dev.bellman.tiles.TilesOnCpu;
import java.util.Arrays;

/**
 * A matrix that is eliminated in place, optionally with a right-hand side as its last column. The result is U on and above the diagonal and the
 * multipliers of L below it. Tiles use the kernels of {@link Pattern#ELIMINATION}.
 */
final class EliminationTable {
    /** Rows and columns of a tile: three of them fit a second-level cache. */
    private static final int EDGE = 96;

    /** Rows and columns, the last exclusive. */
    private record Part(int top, int bottom, int left, int right) {}

    private final String function;
    private final int n;
    private final double[][] rows;
    private final int columns;
    private final double least;

    /** @param b the right-hand side, or null */
    EliminationTable(String function, double[][] matrix, double[] b) {
        this.function = function;
        n = matrix.length;
        rows = matrix;
        double largest = 0;
        for (double[] row : rows) {
            for (double entry : row) {
                largest = Math.max(largest, Math.abs(entry));
            }
        }
        least = n * 0x1p-52 * largest;
        if (b != null) {
            for (int i = 0; i < n; i++) {
                rows[i] = Arrays.copyOf(rows[i], n + 1);
                rows[i][n] = b[i];
            }
        }
        columns = b == null ? n : n + 1;
    }

    void eliminate() {
        withinTile(new Part(0, n, 0, columns));
    }

    void eliminateRWay(int threads) {
        run(Schedule.twoWay(side()), threads);
    }

    void eliminateBlocked(int threads) {
        run(Schedule.blocked(side()), threads);
    }

    private int side() {
        return Grid.tiles(columns, EDGE);
    }

    private void run(Schedule schedule, int threads) {
        Grid<Part> grid = new Grid<>(side(), this::part);
        TilesOnCpu.run(schedule, Pattern.ELIMINATION, grid, threads, (task, target, sources) -> {
            switch (task.kernel()) {
                case A -> withinTile(target);
                case B -> rightOfPivots(target, sources.get(0));
                case C -> belowPivots(target, sources.get(0));
                case D -> disjoint(target, sources.get(1));
            }
        });
    }

    private Part part(Tile tile) {
        int top = Math.min(n, tile.row() * EDGE);
        int left = tile.column() * EDGE;
        return new Part(top, Math.min(n, top + EDGE), left, Math.min(columns, left + EDGE));
    }

    private void withinTile(Part tile) {
        for (int k = tile.top; k < Math.min(tile.bottom, tile.right); k++) {
            check(k);
            for (int i = k + 1; i < tile.bottom; i++) {
                double multiplier = rows[i][k] / rows[k][k];
                rows[i][k] = multiplier;
                subtract(rows[i], multiplier, rows[k], k + 1, tile.right);
            }
        }
    }

    /**
     * Refuses a bad pivot. The last one divides only a right-hand side. An entry that leaves the range of doubles makes a later pivot of its row or
     * column do so, too.
     */
    private void check(int k) {
        double pivot = rows[k][k];
        if (!(Math.abs(pivot) <= Double.MAX_VALUE)) {
            throw beyondDoubles();
        }
        if (!(Math.abs(pivot) > least) && (k < n - 1 || columns > n)) {
            throw Elimination.invalid(
                    function,
                    ("pivot %d (counted from 1) is %s; without pivoting it must be larger than %s in magnitude, that is n 2^-52 times the largest"
                                    + " entry. This method is for matrices that are diagonally dominant, or symmetric and positive definite: bring"
                                    + " the rows into such an order, or use one that pivots")
                            .formatted(k + 1, pivot, least));
        }
    }

    private void rightOfPivots(Part target, Part pivots) {
        for (int k = pivots.top; k < pivots.bottom; k++) {
            for (int i = k + 1; i < target.bottom; i++) {
                subtract(rows[i], rows[i][k], rows[k], target.left, target.right);
            }
        }
    }

    private void belowPivots(Part target, Part pivots) {
        for (int i = target.top; i < target.bottom; i++) {
            for (int k = pivots.top; k < pivots.bottom; k++) {
                double multiplier = rows[i][k] / rows[k][k];
                rows[i][k] = multiplier;
                subtract(rows[i], multiplier, rows[k], k + 1, target.right);
            }
        }
    }

    private void disjoint(Part target, Part above) {
        for (int i = target.top; i < target.bottom; i++) {
            double[] row = rows[i];
            int k = above.top;
            for (; k + 4 <= above.bottom; k += 4) {
                subtractFour(row, k, target.left, target.right);
            }
            for (; k < above.bottom; k++) {
                subtract(row, row[k], rows[k], target.left, target.right);
            }
        }
    }

    private static void subtract(double[] row, double multiplier, double[] pivots, int from, int to) {
        for (int j = from; j < to; j++) {
            row[j] = Math.fma(-multiplier, pivots[j], row[j]);
        }
    }

    /** Four steps of {@link #subtract} that load and store the row once. */
    private void subtractFour(double[] row, int k, int from, int to) {
        double m0 = -row[k];
        double m1 = -row[k + 1];
        double m2 = -row[k + 2];
        double m3 = -row[k + 3];
        double[] p0 = rows[k];
        double[] p1 = rows[k + 1];
        double[] p2 = rows[k + 2];
        double[] p3 = rows[k + 3];
        for (int j = from; j < to; j++) {
            row[j] = Math.fma(m3, p3[j], Math.fma(m2, p2[j], Math.fma(m1, p1[j], Math.fma(m0, p0[j], row[j]))));
        }
    }

    private RuntimeException beyondDoubles() {
        return Elimination.invalid(
                function,
                "an entry leaves the range of DOUBLE in the elimination; scale the matrix, or use a method that pivots");
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

    double[] solution() {
        double[] x = new double[n];
        for (int k = n - 1; k >= 0; k--) {
            x[k] = rows[k][n] / rows[k][k];
            if (!(Math.abs(x[k]) <= Double.MAX_VALUE)) {
                throw beyondDoubles();
            }
            for (int i = 0; i < k; i++) {
                rows[i][n] = Math.fma(-rows[i][k], x[k], rows[i][n]);
            }
        }
        return x;
    }
}
