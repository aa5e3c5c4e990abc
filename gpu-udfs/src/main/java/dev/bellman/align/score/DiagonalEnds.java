package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;

/**
 * The best end that a {@link DiagonalTable} has found so far. Depending on the mode, an alignment may end only in the
 * last cell, in the last row or column, in any cell, or in the cells of an extension. Ties: the end that comes first in
 * a is preferred, then the end that comes first in b.
 */
final class DiagonalEnds {
    private static final int NONE = DiagonalTable.NONE;

    private final int m;
    private final int n;
    private final AlignmentMode mode;
    private int best;
    private int endA;
    private int endB;
    /**
     * The best value in the last row. It is stored separately because, in case of ties, cells of the last column come
     * first.
     */
    private int bestOfRow = NONE;

    private int endOfRow;

    private final ExtensionLimits limits;
    private final ExtensionEnd extension;
    /** The first row of an extension that may have cells on later diagonals. */
    private int open = 1;

    DiagonalEnds(int m, int n, AlignmentMode mode, Scoring scoring, ExtensionLimits limits) {
        this.m = m;
        this.n = n;
        this.mode = mode;
        this.limits = limits;
        extension = new ExtensionEnd(limits, scoring);
        if (mode == AlignmentMode.LOCAL) {
            return;
        }
        best = NONE;
        if (mode == AlignmentMode.FIT_B_IN_A) {
            best = top(n, mode, scoring);
            endB = n;
        } else if (mode == AlignmentMode.FIT_A_IN_B) {
            bestOfRow = side(m, mode, scoring);
        }
    }

    /** Returns the smallest value with which a cell of a local table may be the best end. */
    int least() {
        return Math.max(1, best);
    }

    void look(int[] values, int first, int last, int d) {
        for (int i = first; i <= last; i++) {
            if (values[i] > best || values[i] == best && i < endA) {
                best = values[i];
                endA = i;
                endB = d - i;
            }
        }
    }

    void ofDiagonal(int[] values, int d) {
        if (mode == AlignmentMode.LOCAL
                || mode == AlignmentMode.EXTENSION
                || mode == AlignmentMode.GLOBAL && d < m + n) {
            return;
        }
        if (d > m && mode != AlignmentMode.FIT_B_IN_A && values[m] > bestOfRow) {
            bestOfRow = values[m];
            endOfRow = d - m;
        }
        boolean ofColumn = mode == AlignmentMode.FIT_B_IN_A || mode == AlignmentMode.OVERLAP && d < m + n;
        if (d > n && ofColumn && values[d - n] > best) {
            best = values[d - n];
            endA = d - n;
            endB = n;
        }
    }

    /**
     * Finishes those rows of an extension that have no cells after diagonal {@code d}. Returns whether the extension
     * continues.
     *
     * @param bestOfRows the best value of each row
     * @param diagonals for each row, the first diagonal with its best value
     */
    boolean goesOn(int[] bestOfRows, int[] diagonals, int d) {
        while (open <= m && open + limits.last(open, n) <= d) {
            if (limits.first(open) > n || !extension.goesOn(open, diagonals[open] - open, bestOfRows[open])) {
                return false;
            }
            open++;
        }
        return open <= m;
    }

    DiagonalTable.Solved solved(Walk.Ways ways) {
        if (mode == AlignmentMode.EXTENSION) {
            return new DiagonalTable.Solved(extension.score(), extension.endA(), extension.endB(), ways);
        }
        boolean inRow = bestOfRow > best;
        return new DiagonalTable.Solved(inRow ? bestOfRow : best, inRow ? m : endA, inRow ? endOfRow : endB, ways);
    }

    /** Returns the value after {@code j} letters of b in the first row. */
    static int top(int j, AlignmentMode mode, Scoring scoring) {
        return mode.firstRowFree ? 0 : (int) -scoring.delete().of(j);
    }

    /** Returns the value after {@code i} letters of a in the first column. */
    static int side(int i, AlignmentMode mode, Scoring scoring) {
        return mode.firstColumnFree ? 0 : (int) -scoring.insert().of(i);
    }
}
