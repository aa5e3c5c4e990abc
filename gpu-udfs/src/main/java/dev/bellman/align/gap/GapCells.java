package dev.bellman.align.gap;

import dev.bellman.align.Cigar;
import dev.bellman.columns.Cancellation;

/**
 * Computes the score and the alignment from the table of a pair ({@link GapTable}), regardless of where the cells are
 * stored.
 */
abstract class GapCells {
    /**
     * The value that represents a missing alignment. It is less than any score, but large enough that subtracting a
     * cost does not overflow.
     */
    static final long NONE = -1L << 62;

    final int[] a;
    final int[] b;
    final long[] aCosts;
    final long[] bCosts;
    private final GapScores scores;
    private final Cancellation cancellation = new Cancellation();

    GapCells(int[] a, int[] b, GapScores scores) {
        this.a = a;
        this.b = b;
        this.scores = scores;
        aCosts = scores.aCosts();
        bCosts = scores.bCosts();
    }

    abstract long beforeA(int i, int j);

    abstract long beforeB(int i, int j);

    private long best(int i, int j) {
        return Math.max(beforeA(i, j), beforeB(i, j));
    }

    final long pair(int i, int j) {
        if (i == 0 || j == 0) {
            return i == 0 && j == 0 ? 0 : NONE;
        }
        return best(i - 1, j - 1) + scores.score(a[i - 1] == b[j - 1]);
    }

    final long score() {
        return best(a.length, b.length);
    }

    /**
     * Returns the alignment, which is traced from its end. For a gap of letters of {@code a}, the shortest optimal gap
     * that follows two aligned letters or begins the alignment is used, because aligned letters are preferred as the
     * previous column. If there is no such gap, the longest optimal gap, which follows a gap of letters of {@code b},
     * is used, because letters of {@code a} are preferred to letters of {@code b}. A gap of letters of {@code b} is as
     * short as possible, because aligned letters and letters of {@code a} are preferred to another letter of {@code b}.
     */
    final String cigar() {
        Cigar cigar = new Cigar();
        int i = a.length;
        int j = b.length;
        boolean afterA = true;
        boolean afterB = true;
        while (i > 0 || j > 0) {
            long score = afterA && afterB ? best(i, j) : afterA ? beforeA(i, j) : beforeB(i, j);
            if (pair(i, j) == score) {
                cigar.append(a[i - 1] == b[j - 1] ? '=' : 'X', 1);
                i--;
                j--;
                afterA = true;
                afterB = true;
            } else if (afterB && beforeB(i, j) == score) {
                int length = aGapLength(i, j, score);
                cigar.append('I', length);
                i -= length;
                afterA = true;
                afterB = false;
            } else {
                int length = bGapLength(i, j, score);
                cigar.append('D', length);
                j -= length;
                afterA = false;
                afterB = true;
            }
        }
        return cigar.toString();
    }

    private int aGapLength(int i, int j, long score) {
        int longest = 0;
        for (int length = 1; length <= i; length++) {
            cancellation.count(1);
            long before = beforeA(i - length, j);
            if (before - aCosts[length - 1] == score) {
                if (before == pair(i - length, j)) {
                    return length;
                }
                longest = length;
            }
        }
        return longest;
    }

    private int bGapLength(int i, int j, long score) {
        int length = 1;
        while (beforeB(i, j - length) - bCosts[length - 1] != score) {
            cancellation.count(1);
            length++;
        }
        return length;
    }
}
