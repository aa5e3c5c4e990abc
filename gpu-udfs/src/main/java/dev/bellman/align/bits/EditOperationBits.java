package dev.bellman.align.bits;

import dev.bellman.align.Move;

/**
 * {@link EditDistanceBits} with the history that rapidfuzz's backtrace needs. From each cell, that backtrace consumes
 * {@code a} if that is optimal. Otherwise, it consumes {@code b} if the cell in the previous column is one less than
 * the diagonal neighbour and the current cell equals the diagonal neighbour. Otherwise, it takes the diagonal.
 *
 * <p>The history contains the rows in which the cell is one more than the cell above, and the rows in which the cell in
 * the previous column is one less than the cell above that cell. In rows of the second kind, the current cell always
 * equals its diagonal neighbour, so the condition for consuming {@code b} holds.
 */
public final class EditOperationBits extends EditDistanceBits {
    public static final EditOperationBits INSTANCE = new EditOperationBits();

    private EditOperationBits() {
        super(-1);
    }

    /** Returns the move from any cell, whether or not its symbols differ. */
    @Override
    public Move move(long[] history, int at, int bit) {
        if ((history[at] >>> bit & 1) == 1) {
            return Move.A;
        }
        return (history[at + 1] >>> bit & 1) == 1 ? Move.B : Move.DIAGONAL;
    }

    @Override
    public Strip strip() {
        return EditOperationLoops::advance;
    }
}
