package dev.bellman.align.bits;

import dev.bellman.align.Move;

/**
 * {@link EditDistanceBits} with the history for another backtrace, rapidfuzz's: from each cell, consuming {@code a} if
 * that is optimal; else consuming {@code b} if a cell equals its diagonal neighbour by that; else the diagonal.
 *
 * <p>The history holds the rows where the cell is one more than the cell above, and those where, in the column before,
 * it is one less. Then consuming {@code b} leads from one less than the diagonal neighbour to its value.
 */
public final class EditOperationBits extends EditDistanceBits {
    public static final EditOperationBits INSTANCE = new EditOperationBits();

    private EditOperationBits() {
        super(-1);
    }

    /** The move from any cell. */
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
