package dev.bellman.align;

/**
 * Traces the canonical path through the table of a pair of strings, from the end to the beginning. The path takes the
 * diagonal if that is optimal, otherwise consumes {@code a} if that is optimal, and otherwise consumes {@code b}.
 */
public final class Backtrace {
    /** Supplies the moves from cells whose symbols differ. */
    @FunctionalInterface
    public interface Moves {
        Move at(int i, int j);
    }

    /** Receives the steps of a path, starting with the last one. */
    @FunctionalInterface
    public interface Steps {
        /**
         * Receives the move that leaves the cell after row {@code i} and column {@code j}; {@code equal} is true if the
         * move consumes two equal symbols.
         */
        void step(Move move, boolean equal, int i, int j);
    }

    /** The moves of an empty table; {@link #walk} never requests one of them. */
    public static final Moves NO_MOVES = (i, j) -> {
        throw new IllegalStateException("an empty table has no moves");
    };

    private Backtrace() {}

    public static void walk(SymbolPair pair, Moves moves, Steps steps) {
        int[] a = pair.a();
        int[] b = pair.b();
        int i = pair.aLength() - 1;
        int j = pair.bLength() - 1;
        while (i >= 0 && j >= 0) {
            boolean equal = a[i] == b[j];
            Move move = equal ? Move.DIAGONAL : moves.at(i, j);
            steps.step(move, equal, i, j);
            if (move != Move.B) {
                i--;
            }
            if (move != Move.A) {
                j--;
            }
        }
        for (; i >= 0; i--) {
            steps.step(Move.A, false, i, j);
        }
        for (; j >= 0; j--) {
            steps.step(Move.B, false, i, j);
        }
    }
}
