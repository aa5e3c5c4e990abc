package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;

/**
 * The best end of an extension in the rows seen so far: at first, the empty alignment. Ties: the end that comes first
 * in a is preferred, then the end that comes first in b.
 */
final class ExtensionEnd {
    private final ExtensionLimits limits;
    private final int insertExtend;
    private final int deleteExtend;
    private long score;
    private int endA;
    private int endB;

    ExtensionEnd(ExtensionLimits limits, Scoring scoring) {
        this.limits = limits;
        insertExtend = scoring.insert().extend2();
        deleteExtend = scoring.delete().extend2();
    }

    long score() {
        return score;
    }

    int endA() {
        return endA;
    }

    int endB() {
        return endB;
    }

    /**
     * Adds the best cell of the next row. Returns whether the extension continues. It continues if the score of this
     * cell, plus the cost of extending a gap from the best end's diagonal to the cell's diagonal, is at most {@code
     * z_drop} below the best score, or if the cell's column is before that of the best end.
     *
     * @param i the row
     * @param j the first column with the row's highest score
     * @param value this score
     */
    boolean goesOn(int i, int j, long value) {
        if (value > score) {
            score = value;
            endA = i;
            endB = j;
            return true;
        }
        if (j < endB || limits.zDrop() == ExtensionLimits.NO_LIMIT) {
            return true;
        }
        long excess = (long) (i - endA) - (j - endB);
        long cost = excess > 0 ? excess * insertExtend : -excess * deleteExtend;
        return score - value <= limits.zDrop() + cost;
    }
}
