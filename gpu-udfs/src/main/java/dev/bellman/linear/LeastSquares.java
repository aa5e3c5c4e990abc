package dev.bellman.linear;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;

/**
 * Solves linear least squares by QR factorization with Householder reflections (G. H. Golub and C. F. Van Loan, Matrix
 * Computations, 5.2 and 5.3). Step k reflects the rows at and below row k so that column k becomes zero below row k:
 *
 * <pre>{@code
 * d = -sign(a(k, k)) * norm of column k at and below row k
 * v(i) = a(i, k) / (a(k, k) - d) for i > k;  t = (d - a(k, k)) / d;  a(k, k) = d
 * for j > k: w = t * (a(k, j) + sum over i > k of v(i) * a(i, j))
 *            a(k, j) = a(k, j) - w;  a(i, j) = fma(-v(i), w, a(i, j)) for i > k
 * }</pre>
 *
 * <p>The right-hand side is an additional column. The solution then follows by back substitution, as in {@link
 * Elimination}. Sums are computed in ascending order of i by fused multiply-adds, which defines the result bit for bit.
 *
 * <p>{@code |d|} is the distance of column k from the nearest linear combination of the columns before it. In a matrix
 * with m rows and n columns, a distance of at most {@code m n 2^-52} times the norm of the column is an error, because
 * it may be a zero distorted by rounding. Scaling a column by a power of two does not change the comparison.
 */
public final class LeastSquares {
    /** Both strategies use the same algorithm. */
    public enum Strategy {
        AUTO,
        SERIAL
    }

    /** The number of bytes per entry, including its copies in a Spark row and as an object. */
    private static final int BYTES_OF_AN_ENTRY = 32;

    private final EliminationErrorContext context;
    private final double[][] rows;
    private final int columns;
    private final double[] factors;
    private final Cancellation cancellation = new Cancellation();

    private LeastSquares(EliminationErrorContext context, double[][] matrix, double... rhs) {
        this.context = context;
        columns = matrix[0].length;
        rows = new double[matrix.length][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new double[columns + 1];
            System.arraycopy(matrix[i], 0, rows[i], 0, columns);
            rows[i][columns] = rhs[i];
        }
        factors = new double[columns + 1];
    }

    /** Reserves the memory for a matrix of the given size. */
    static void takeMemory(String function, long rows, long columns) {
        TaskMemory.take(
                function, BYTES_OF_AN_ENTRY * rows * (columns + 1), "", () -> "a matrix of %,d rows and %,d columns"
                        .formatted(rows, columns));
    }

    /**
     * Returns the {@code x} that minimizes the norm of {@code matrix x - rhs}.
     *
     * @param matrix at least one column, and at least as many rows as columns
     * @throws BellmanException if the columns are linearly dependent, or an entry exceeds the range of DOUBLE
     */
    static double[] solve(EliminationErrorContext context, double[][] matrix, double... rhs) {
        LeastSquares problem = new LeastSquares(context, matrix, rhs);
        double[] norms = new double[problem.columns];
        for (int k = 0; k < norms.length; k++) {
            norms[k] = problem.norm(k, 0);
        }
        for (int k = 0; k < norms.length; k++) {
            problem.reflect(k, norms[k]);
        }
        return problem.solution();
    }

    /** Returns the norm of a column's entries from a row on; the entries are scaled to prevent overflow. */
    private double norm(int column, int from) {
        double scale = 0;
        for (int i = from; i < rows.length; i++) {
            scale = Math.max(scale, Math.abs(rows[i][column]));
        }
        if (scale == 0) {
            return 0;
        }
        double sum = 0;
        for (int i = from; i < rows.length; i++) {
            double part = rows[i][column] / scale;
            sum = Math.fma(part, part, sum);
        }
        return scale * Math.sqrt(sum);
    }

    private void reflect(int k, double norm) {
        double[] first = rows[k];
        double rest = norm(k, k);
        check(k, rest, norm);
        double diagonal = first[k] < 0 ? rest : -rest;
        double divisor = first[k] - diagonal;
        double twice = (diagonal - first[k]) / diagonal;
        first[k] = diagonal;
        System.arraycopy(first, k + 1, factors, k + 1, columns - k);
        for (int i = k + 1; i < rows.length; i++) {
            cancellation.count(columns - k + 1L);
            double[] row = rows[i];
            row[k] /= divisor;
            double part = row[k];
            for (int j = k + 1; j <= columns; j++) {
                factors[j] = Math.fma(part, row[j], factors[j]);
            }
        }
        for (int j = k + 1; j <= columns; j++) {
            factors[j] *= twice;
            first[j] -= factors[j];
        }
        for (int i = k + 1; i < rows.length; i++) {
            cancellation.count(columns - k + 1L);
            double[] row = rows[i];
            double part = -row[k];
            for (int j = k + 1; j <= columns; j++) {
                row[j] = Math.fma(part, factors[j], row[j]);
            }
        }
    }

    private double[] solution() {
        double[] x = new double[columns];
        for (int i = columns - 1; i >= 0; i--) {
            cancellation.count(columns - i);
            double rest = rows[i][columns];
            for (int k = columns - 1; k > i; k--) {
                rest = Math.fma(-rows[i][k], x[k], rest);
            }
            x[i] = rest / rows[i][i];
            checkFinite(x[i]);
        }
        return x;
    }

    private void check(int k, double rest, double norm) {
        checkFinite(rest);
        double least = rows.length * (double) columns * 0x1p-52 * norm;
        if (!(rest > least)) {
            throw context.invalid(("column %d of matrix (counted from 1) is linearly dependent on the columns before "
                            + "it: its distance from their linear combinations is %s; it must exceed %s. Remove "
                            + "columns that are linear combinations of others")
                    .formatted(k + 1, rest, least));
        }
    }

    private void checkFinite(double value) {
        if (!(Math.abs(value) <= Double.MAX_VALUE)) {
            throw context.invalid("an entry exceeds the range of DOUBLE during the factorization; scale the matrix");
        }
    }
}
