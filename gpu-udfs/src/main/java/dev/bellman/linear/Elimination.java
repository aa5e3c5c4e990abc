package dev.bellman.linear;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Performs Gaussian elimination, by default without pivoting: {@code A = L U} with ones on the diagonal of L. This
 * method is suitable for matrices that are diagonally dominant or symmetric positive definite. Other matrices may
 * require division by a number close to zero, which is an error.
 *
 * <pre>{@code
 * for k = 0, 1, ...: for i > k: a(i, k) = a(i, k) / a(k, k)
 *                    for i > k, j > k: a(i, j) = fma(-a(i, k), a(k, j), a(i, j))
 * }</pre>
 *
 * <p>This defines the result bit for bit: products are subtracted from each entry in ascending order of k, each by one
 * fused multiply-add. The order in which entries are processed does not matter, so every strategy, tile size and engine
 * returns bit-for-bit the same result. To solve {@code A x = b}, b is added as a column; then, for descending k, {@code
 * x(k) = y(k) / u(k, k)} and {@code y(i) = fma(-u(i, k), x(k), y(i))} for {@code i < k}. A determinant is the product
 * of the pivots {@code u(k, k)} in ascending order of k.
 *
 * <p>The magnitude of a pivot must exceed {@code n 2^-52} times the largest magnitude in the matrix; a pivot of smaller
 * magnitude may be a zero distorted by rounding. The last pivot may have any finite value in {@link #lu} and {@link
 * #determinant}, which do not divide by it.
 *
 * <p>With partial pivoting, step k first exchanges row k with the row that has the largest magnitude in column k among
 * row k and the rows below it, or with the first such row if there are several (G. H. Golub and C. F. Van Loan, "Matrix
 * Computations", section 3.4). All multipliers are then at most 1 in magnitude, so a determinant needs no minimum
 * pivot. The operations on each entry are the same as without pivoting. A determinant is the product of the pivots in
 * the same order, negated if the number of exchanges is odd; the exponents of partial products are unlimited. Factors
 * exist for singular matrices, too: if a pivot is zero, all numbers below it are zero, and their multipliers are
 * defined as 0.
 */
public final class Elimination {
    /** All strategies return bit-for-bit the same result. */
    public enum Strategy {
        /** Uses {@link #SERIAL} for small matrices, and {@link #BLOCKED} for other matrices. */
        AUTO,
        /** Runs the textbook loops. */
        SERIAL,
        /**
         * Computes tile by tile, in the order of the r-way recursion (Javanmard et al., 2019), which is 2-way on a
         * CPU.
         */
        R_WAY,
        /** Computes tile by tile, in rounds. */
        BLOCKED;

        /** Returns the strategy for a matrix of n rows, never {@link #AUTO}. */
        public Strategy of(int n) {
            return this != AUTO ? this : n < MIN_TILED ? SERIAL : BLOCKED;
        }

        /** Returns the number of columns whose pivots are found before the other columns are processed. */
        int panel(int n) {
            return of(n) == SERIAL ? n : MatrixPart.EDGE;
        }
    }

    /**
     * The factors L and U; L has ones on its diagonal. Both are stored row by row.
     *
     * @param permutation for each row of {@code L U}, the index of the matrix row that equals it up to rounding
     */
    public record Factors(double[][] l, double[][] u, int[] permutation) {}

    /** The minimum number of rows for which tiles are faster. */
    private static final int MIN_TILED = 192;

    /**
     * The number of bytes per entry, including its copies in a Spark row, as an object, in the table, and in two
     * results.
     */
    private static final int BYTES_OF_AN_ENTRY = 64;

    private static final String LU = "lu";

    private Elimination() {}

    /**
     * Factorizes a square matrix, which is overwritten.
     *
     * @param pivoting whether to use partial pivoting, which runs on one core with every strategy
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if a pivot is too small or an entry exceeds the
     *     range of doubles; {@link ErrorCode#BELLMAN_LIMIT} if the matrix takes too much memory
     */
    public static Factors lu(double[][] matrix, boolean pivoting, Strategy strategy, int threads) {
        EliminationTable table = eliminate(LU, matrix, null, pivoting, strategy, threads);
        return new Factors(table.lower(), table.upper(), table.permutation());
    }

    /**
     * Solves {@code matrix x = b}. The matrix is overwritten.
     *
     * @param pivoting as for {@link #lu}
     * @throws BellmanException as for {@link #lu}
     */
    public static double[] solve(double[][] matrix, double[] b, boolean pivoting, Strategy strategy, int threads) {
        return eliminate("linear_solve", matrix, b, pivoting, strategy, threads).solution();
    }

    /**
     * Returns the determinant, which may be infinite. The matrix is overwritten.
     *
     * @param pivoting as for {@link #lu}
     * @throws BellmanException as for {@link #lu}
     */
    public static double determinant(double[][] matrix, boolean pivoting, Strategy strategy, int threads) {
        EliminationTable table = eliminate("determinant", matrix, null, pivoting, strategy, threads);
        return pivoting ? table.determinantPivoting() : table.determinant();
    }

    /**
     * Returns the determinant of a matrix that was eliminated with partial pivoting. Only the result can exceed the
     * range of DOUBLE.
     *
     * @param permutation for each row, its index before any rows were exchanged
     */
    public static double determinant(int[] permutation, double... pivots) {
        return Arrays.stream(pivots).anyMatch(pivot -> pivot == 0)
                ? 0
                : EliminationTable.product(sign(permutation), pivots);
    }

    /** Returns the sign of a permutation: -1 if the number of exchanges is odd, else 1. */
    public static int sign(int... permutation) {
        int sign = 1;
        BitSet seen = new BitSet(permutation.length);
        for (int i = 0; i < permutation.length; i++) {
            for (int at = permutation[i]; !seen.get(i) && at != i; at = permutation[at]) {
                seen.set(at);
                sign = -sign;
            }
        }
        return sign;
    }

    private static EliminationTable eliminate(
            String function, double[][] matrix, double[] b, boolean pivoting, Strategy strategy, int threads) {
        int n = matrix.length;
        TaskMemory.take(function, (long) n * n * BYTES_OF_AN_ENTRY, "", () -> "a matrix of %,d rows".formatted(n));
        EliminationTable table = EliminationTable.of(function, matrix, b, pivoting);
        if (pivoting) {
            table.eliminatePivoting(function.equals(LU), strategy.panel(n));
        } else {
            eliminate(table, n, strategy, threads);
        }
        return table;
    }

    static void eliminate(EliminationTable table, int n, Strategy strategy, int threads) {
        switch (strategy.of(n)) {
            case R_WAY -> table.eliminateRWay(threads);
            case BLOCKED -> table.eliminateBlocked(threads);
            default -> table.eliminate();
        }
    }
}
