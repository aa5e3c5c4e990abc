package dev.bellman.align.bits;

import dev.bellman.align.Move;

/**
 * {@link EditDistanceBits} with the history for rapidfuzz's backtrace. From each cell, this consumes {@code a} if that
 * is optimal; otherwise {@code b}, if a cell equals its diagonal neighbour through that; otherwise it takes the
 * diagonal.
 *
 * <p>The history holds the rows in which the cell is one more than the cell above, and the rows in which the cell in
 * the previous column is one less than the cell above. In the latter, consuming {@code b} leads from one less than the
 * diagonal neighbour to its value.
 */
public final class EditOperationBits extends EditDistanceBits {
    public static final EditOperationBits INSTANCE = new EditOperationBits();

    private EditOperationBits() {
        super(-1);
    }

    /** Returns the move from any cell, whether its symbols differ or not. */
    @Override
    public Move move(long[] history, int at, int bit) {
        if ((history[at] >>> bit & 1) == 1) {
            return Move.A;
        }
        return (history[at + 1] >>> bit & 1) == 1 ? Move.B : Move.DIAGONAL;
    }

    @Override
    public void advance(
            int words,
            long[] matches,
            int[] columns,
            int from,
            int to,
            long[] vertical,
            int verticalAt,
            long[] horizontal,
            long[] history,
            int historyAt,
            int historyStride) {
        EditOperationLoops.advance(
                words, matches, columns, from, to, vertical, verticalAt, horizontal, history, historyAt, historyStride);
    }
}
