package dev.bellman.linear;

import dev.bellman.BellmanException;
import java.io.Serializable;

/** Checks the pivots of a matrix. */
final class EliminationPivots implements Serializable {
    private static final long serialVersionUID = 1L;

    private final EliminationErrorContext context;
    private final int n;
    private final boolean solves;
    private final boolean pivoting;
    private final double least;

    /**
     * Creates the checks for a matrix with {@code n} rows.
     *
     * @param solves whether there is a right-hand side, which is divided by the last pivot
     * @param largest the largest magnitude in the matrix
     * @param pivoting whether the rows are exchanged; without a right-hand side, a pivot may then be zero
     */
    EliminationPivots(EliminationErrorContext context, int n, boolean solves, double largest, boolean pivoting) {
        this.context = context;
        this.n = n;
        this.solves = solves;
        this.pivoting = pivoting;
        least = n * 0x1p-52 * largest;
    }

    /**
     * Throws an exception for a bad pivot. Only a right-hand side is divided by the last pivot. Other entries are not
     * checked, because if an entry exceeds the range of doubles, so does a later pivot in its row or column.
     *
     * @param k the index of the pivot, counted from 0
     */
    void check(int k, double pivot) {
        checkFinite(pivot);
        if (Math.abs(pivot) > least || !solves && (k == n - 1 || pivoting)) {
            return;
        }
        throw context.invalid(("pivot %d (counted from 1) is %s; %s pivoting, its magnitude must exceed %s, which is "
                        + "n * 2^-52 times the largest magnitude in the matrix. %s")
                .formatted(
                        k + 1,
                        pivot,
                        pivoting ? "with" : "without",
                        least,
                        pivoting
                                ? "The matrix is singular or nearly singular; remove equations that follow from "
                                        + "others, or scale the equations"
                                : "Without pivoting, the matrix must be diagonally dominant, or symmetric and "
                                        + "positive definite. Reorder the rows, or set pivot to true"));
    }

    void checkFinite(double value) {
        if (!(Math.abs(value) <= Double.MAX_VALUE)) {
            throw beyondDoubles();
        }
    }

    private BellmanException beyondDoubles() {
        return context.invalid("an entry exceeds the range of DOUBLE during the elimination; scale the matrix"
                + (pivoting ? "" : ", or set pivot to true"));
    }
}
