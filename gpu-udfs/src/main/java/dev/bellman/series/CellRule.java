package dev.bellman.series;

/**
 * How a cell of a {@link SeriesTable} is computed from its neighbours: the cell before both points, the cell above
 * (which consumes a point of {@code a}) and the cell to the left (which consumes a point of {@code b}). {@code d_k} is
 * the difference of the two points in dimension {@code k}; {@code min} is the minimum of the three cells. Sums are over
 * the dimensions, from the first to the last; each step is rounded once.
 */
enum CellRule {
    /** {@code min}, to which each {@code d_k * d_k} is added by a fused multiply-add. */
    SQUARED,
    /** {@code min}, to which each {@code |d_k|} is added. */
    ABSOLUTE,
    /** The larger of {@code min} and the sum of {@code d_k * d_k}, each added by a fused multiply-add. */
    FRECHET,
    /**
     * The minimum of three sums: the cell before both plus the sum of {@code |d_k|}; the cell above plus the sum of
     * {@code |a_k - gap|}; the cell to the left plus the sum of {@code |b_k - gap|}. Each sum is computed first and
     * then added to the cell.
     */
    ERP,
    /**
     * The minimum of the cell before both, plus 1 unless every {@code |d_k|} is within the tolerance, and the cells
     * above and to the left, plus 1.
     */
    EDR,
    /**
     * Minus the maximum number of matches, so that smaller values are better: the minimum of the cell before both,
     * minus 1 if every {@code |d_k|} is within the tolerance, and the cells above and to the left.
     */
    LCSS
}
