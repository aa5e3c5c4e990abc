package dev.bellman.series;

/**
 * How a cell of a {@link SeriesTable} follows from the one before both points, the one above (which consumes a point of
 * {@code a}) and the one to the left (which consumes a point of {@code b}). {@code d_k} is the difference of the two
 * points in dimension
 * {@code k}; {@code min} is the least of the three cells. Sums run over the dimensions from the first to the last, each
 * step rounded once.
 */
enum CellRule {
    /** {@code min}, to which each {@code d_k * d_k} is added by a fused multiply-add. */
    SQUARED,
    /** {@code min}, to which each {@code |d_k|} is added. */
    ABSOLUTE,
    /** The larger of {@code min} and the sum of {@code d_k * d_k}, each added by a fused multiply-add. */
    FRECHET,
    /**
     * The least of: before both, plus the sum of {@code |d_k|}; above, plus the sum of the {@code |a_k - gap|}; left,
     * plus the sum of the
     * {@code |b_k - gap|}. Each sum is computed first, and then added to the cell.
     */
    ERP,
    /** The least of: before both, plus 1 unless every {@code |d_k|} is within the tolerance; above and left, plus 1. */
    EDR,
    /**
     * Minus the most matches, so that less is better: the least of before both, less 1 if every {@code |d_k|} is within
     * the tolerance; above; left.
     */
    LCSS
}
