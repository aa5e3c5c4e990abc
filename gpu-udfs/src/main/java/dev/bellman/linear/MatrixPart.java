package dev.bellman.linear;

import dev.bellman.columns.Cancellation;
import dev.bellman.large.tiles.TileKernel;
import java.util.List;

/**
 * A part of a matrix on which the kernels of {@link dev.bellman.large.tiles.Pattern#ELIMINATION} perform elimination in
 * place. Parts may share arrays or have separate arrays. Parts in the same rows of the matrix have the same {@code top}
 * and {@code bottom}; parts in the same columns have the same {@code left}. A part on the diagonal has
 * {@code top == left}.
 *
 * @param bottom exclusive
 * @param right exclusive
 */
record MatrixPart(double[][] rows, int top, int bottom, int left, int right) {
    /**
     * The number of rows and columns of a part at which the elimination kernels are fastest: three parts fit in a
     * second-level cache.
     */
    static final int EDGE = 96;

    /**
     * Runs a task.
     *
     * @param first the index of the matrix row that is row 0 of a part on the diagonal
     */
    static void run(
            TileKernel kernel, MatrixPart target, List<MatrixPart> sources, EliminationPivots pivots, int first) {
        switch (kernel) {
            case A -> target.eliminate(pivots, first);
            case B -> target.eliminateRightOf(sources.get(0));
            case C -> target.eliminateBelow(sources.get(0));
            case D -> target.subtractProduct(sources.get(0), sources.get(1));
        }
    }

    void eliminate(EliminationPivots pivots, int first) {
        Cancellation cancellation = new Cancellation();
        for (int k = top; k < Math.min(bottom, right); k++) {
            cancellation.count((long) (bottom - k) * (right - k));
            pivots.check(first + k, rows[k][k]);
            for (int i = k + 1; i < bottom; i++) {
                double multiplier = rows[i][k] / rows[k][k];
                rows[i][k] = multiplier;
                subtract(rows[i], multiplier, rows[k], k + 1, right);
            }
        }
    }

    private void eliminateRightOf(MatrixPart pivots) {
        for (int k = pivots.top; k < pivots.bottom; k++) {
            for (int i = k + 1; i < bottom; i++) {
                subtract(rows[i], pivots.rows[i][k], rows[k], left, right);
            }
        }
    }

    private void eliminateBelow(MatrixPart pivots) {
        for (int i = top; i < bottom; i++) {
            for (int k = pivots.top; k < pivots.bottom; k++) {
                double multiplier = rows[i][k] / pivots.rows[k][k];
                rows[i][k] = multiplier;
                subtract(rows[i], multiplier, pivots.rows[k], k + 1, right);
            }
        }
    }

    private void subtractProduct(MatrixPart before, MatrixPart above) {
        for (int i = top; i < bottom; i++) {
            double[] row = rows[i];
            double[] multipliers = before.rows[i];
            int k = above.top;
            for (; k + 4 <= above.bottom; k += 4) {
                subtractFour(row, multipliers, above.rows, k);
            }
            for (; k < above.bottom; k++) {
                subtract(row, multipliers[k], above.rows[k], left, right);
            }
        }
    }

    static void subtract(double[] row, double multiplier, double[] pivots, int from, int to) {
        for (int j = from; j < to; j++) {
            row[j] = Math.fma(-multiplier, pivots[j], row[j]);
        }
    }

    /** Performs four steps of {@link #subtract}, loading and storing the row once. */
    private void subtractFour(double[] row, double[] multipliers, double[][] pivots, int k) {
        double m0 = -multipliers[k];
        double m1 = -multipliers[k + 1];
        double m2 = -multipliers[k + 2];
        double m3 = -multipliers[k + 3];
        double[] p0 = pivots[k];
        double[] p1 = pivots[k + 1];
        double[] p2 = pivots[k + 2];
        double[] p3 = pivots[k + 3];
        for (int j = left; j < right; j++) {
            row[j] = Math.fma(m3, p3[j], Math.fma(m2, p2[j], Math.fma(m1, p1[j], Math.fma(m0, p0[j], row[j]))));
        }
    }
}
