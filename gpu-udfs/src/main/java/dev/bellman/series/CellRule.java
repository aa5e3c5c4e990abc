package dev.bellman.series;

/**
 * Defines how a cell of a {@link SeriesTable} is computed from its neighbours. These are the diagonal cell, the cell
 * above (from which a step consumes a point of {@code a}) and the cell to the left (from which a step consumes a point
 * of {@code b}). {@code d_k} is the difference between the two points in dimension {@code k}; {@code min} is the
 * minimum of the three cells. Sums are over the dimensions, from the first to the last; each step is rounded once.
 */
enum CellRule {
    /** Starts with {@code min} and adds each {@code d_k * d_k} by a fused multiply-add. */
    SQUARED,
    /** Starts with {@code min} and adds each {@code |d_k|}. */
    ABSOLUTE,
    /** Adds as {@link #SQUARED} does, with each step rounded to FLOAT. */
    SQUARED_FLOAT,
    /** Adds as {@link #ABSOLUTE} does, with each step rounded to FLOAT. */
    ABSOLUTE_FLOAT,
    /**
     * Takes the larger of {@code min} and the sum of all {@code d_k * d_k}, each of which is added by a fused
     * multiply-add.
     */
    FRECHET,
    /**
     * Takes the minimum of three sums: the diagonal cell plus the sum of {@code |d_k|}; the cell above plus the sum of
     * {@code |a_k - gap|}; the cell to the left plus the sum of {@code |b_k - gap|}. Each sum is computed first and
     * then added to the cell.
     */
    ERP,
    /**
     * Takes the minimum of three values: the diagonal cell, plus 1 unless every {@code |d_k|} is within the tolerance;
     * the cell above plus 1; the cell to the left plus 1.
     */
    EDR,
    /**
     * Takes the minimum of three values: the diagonal cell, minus 1 if every {@code |d_k|} is within the tolerance; the
     * cell above; the cell to the left. Cells are the negated maximum number of matches, so smaller values are better.
     */
    LCSS;

    /** Whether the rule adds squares, so that a time-warping distance is the square root of the last cell. */
    boolean isSquared() {
        return this == SQUARED || this == SQUARED_FLOAT;
    }

    /** Whether cells are FLOAT. */
    boolean isFloat() {
        return this == SQUARED_FLOAT || this == ABSOLUTE_FLOAT;
    }

    /** Whether every point must have a partner, so that border cells are infinite unless a path may begin there. */
    boolean isClosed() {
        return this != ERP && this != EDR && this != LCSS;
    }

    /**
     * Adds the square or the absolute value of a difference to a sum, as {@link #SQUARED_FLOAT} and {@link
     * #ABSOLUTE_FLOAT} do. The sum and the result are FLOAT values.
     */
    static double plusInFloat(boolean squared, double sum, float difference) {
        return squared ? Math.fma(difference, difference, (float) sum) : (float) sum + Math.abs(difference);
    }
}
