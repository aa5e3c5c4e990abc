package dev.bellman.linear;

import dev.bellman.BellmanException;
import java.io.Serializable;

/** The checks of the pivots of a matrix. */
final class EliminationPivots implements Serializable {
    private static final long serialVersionUID = 1L;

    private final EliminationErrorContext context;
    private final int n;
    private final boolean solves;
    private final double least;

    /**
     * For a matrix with n rows.
     *
     * @param solves whether there is a right-hand side, which the last pivot divides
     * @param largest the largest magnitude in the matrix
     */
    EliminationPivots(EliminationErrorContext context, int n, boolean solves, double largest) {
        this.context = context;
        this.n = n;
        this.solves = solves;
        least = n * 0x1p-52 * largest;
    }

    /**
     * Refuses a bad pivot. The last one divides only a right-hand side. An entry that leaves the range of doubles makes
     * a later pivot of its row or column do so, too.
     *
     * @param k counts from 0
     */
    void check(int k, double pivot) {
        checkFinite(pivot);
        if (!(Math.abs(pivot) > least) && (k < n - 1 || solves)) {
            throw context.invalid(
                    ("pivot %d (counted from 1) is %s; without pivoting it must be larger than %s in magnitude, "
                                    + "that is n 2^-52 times the largest entry. This method is for matrices that "
                                    + "are diagonally dominant, or symmetric and positive definite: bring the rows "
                                    + "into such an order, or use one that pivots")
                            .formatted(k + 1, pivot, least));
        }
    }

    void checkFinite(double value) {
        if (!(Math.abs(value) <= Double.MAX_VALUE)) {
            throw beyondDoubles();
        }
    }

    private BellmanException beyondDoubles() {
        return context.invalid(
                "an entry leaves the range of DOUBLE in the elimination; scale the matrix, or use a method that "
                        + "pivots");
    }
}
