package dev.bellman.align.score;

import dev.bellman.align.Backtrace;
import dev.bellman.align.Move;

/**
 * Follows the canonical traceback through Gotoh's table, from the end of the best alignment. The traceback takes the
 * diagonal if that is best, otherwise a gap against {@code a} if that is best, and otherwise a gap against {@code b}.
 * It ends a gap at the first letter at which the gap can have been opened. If gap costs have two pieces, it follows
 * both pieces for as long as both yield the best score. The traceback of a local alignment ends at the first cell with
 * value 0.
 */
final class Walk {
    /** The mask of the traceback bits that contain the origin of a cell's best value. */
    static final int SOURCE = 3;

    static final int FROM_DIAGONAL = 0;
    static final int FROM_INSERT = 1;
    static final int FROM_DELETE = 2;
    static final int BEGIN = 3;
    static final int INSERT_OPENS = 4;
    static final int DELETE_OPENS = 8;

    /**
     * The bit of the first piece. If gap costs have two pieces and a cell's best value ends in a gap, the bit of each
     * piece whose cost yields this value is set.
     */
    static final int FIRST_PIECE = 16;

    static final int SECOND_PIECE = 32;
    private static final int PIECES = FIRST_PIECE | SECOND_PIECE;

    /**
     * The distance, in bits, between the bits that show whether a gap opens for the first piece and the corresponding
     * bits for the second piece.
     */
    private static final int OF_SECOND = 4;

    static final int INSERT_OPENS_2 = INSERT_OPENS << OF_SECOND;
    static final int DELETE_OPENS_2 = DELETE_OPENS << OF_SECOND;

    /**
     * Returns the traceback bits of the cell after {@code i} letters of a and {@code j} letters of b, both positive;
     * higher bits are undefined.
     */
    @FunctionalInterface
    interface Ways {
        int at(int i, int j);
    }

    private final int[] a;
    private final int[] b;
    private final AlignmentMode mode;
    private final Backtrace.Steps steps;
    private final boolean hasTwoPieces;
    private int i;
    private int j;
    private boolean ended;
    /** The kind of gap that the path is currently in, or the diagonal if the path is not in a gap. */
    private Move gap = Move.DIAGONAL;
    /** The pieces that yield the cost of the current gap. */
    private int pieces = FIRST_PIECE;

    /** @param hasTwoPieces whether gap costs have two pieces */
    Walk(int[] a, int[] b, AlignmentMode mode, boolean hasTwoPieces, Backtrace.Steps steps, int endA, int endB) {
        this.a = a;
        this.b = b;
        this.mode = mode;
        this.hasTwoPieces = hasTwoPieces;
        this.steps = steps;
        i = endA;
        j = endB;
    }

    int beginA() {
        return i;
    }

    int beginB() {
        return j;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Continues the walk to row {@code top}, or to the beginning of the alignment if that comes first. */
    void go(int top, Ways ways) {
        while (i > top && !ended) {
            if (j == 0) {
                if (mode.firstColumnFree) {
                    ended = true;
                } else {
                    step(Move.A);
                }
                continue;
            }
            int way = ways.at(i, j);
            if (gap == Move.DIAGONAL) {
                int source = way & SOURCE;
                if (source == BEGIN) {
                    ended = true;
                    return;
                }
                gap = source == FROM_INSERT ? Move.A : source == FROM_DELETE ? Move.B : Move.DIAGONAL;
                pieces = hasTwoPieces ? way & PIECES : FIRST_PIECE;
            }
            Move move = gap;
            step(move);
            int opens = move == Move.A ? INSERT_OPENS : DELETE_OPENS;
            if ((way & opens) != 0 && (pieces & FIRST_PIECE) != 0
                    || (way & opens << OF_SECOND) != 0 && (pieces & SECOND_PIECE) != 0) {
                gap = Move.DIAGONAL;
            }
        }
        while (i == 0 && j > 0 && !ended && !mode.firstRowFree) {
            step(Move.B);
        }
    }

    private void step(Move move) {
        boolean equal = move == Move.DIAGONAL && a[i - 1] == b[j - 1];
        steps.step(move, equal, i - 1, j - 1);
        if (move != Move.B) {
            i--;
        }
        if (move != Move.A) {
            j--;
        }
    }
}
