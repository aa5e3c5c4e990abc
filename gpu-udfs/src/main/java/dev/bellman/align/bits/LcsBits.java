package dev.bellman.align.bits;

import dev.bellman.align.Move;

/**
 * Computes the longest common subsequence on 64-bit words with the algorithm by Crochemore, Iliopoulos, Pinzon and
 * Reid, "A fast and practical bit-vector algorithm for the longest common subsequence problem" (2001), with the carry
 * between words by Hyyrö, "Bit-parallel LCS-length computation revisited" (2004).
 *
 * <p>Each cell equals the cell above it or is one more. One vector, {@code v}, marks the rows in which the two are
 * equal. In the next column, in each run of rows that ends in an increase, the increase moves up to the run's first
 * match, if there is one. The addition {@code v + (v & x)} does this for all runs at once, where {@code x} marks the
 * rows whose symbol equals the column's. The carry out of the last row is the horizontal difference of that row.
 *
 * <p>The history contains {@code v}. If the symbols differ, consuming {@code a} is optimal if a cell equals the cell
 * above.
 */
public final class LcsBits implements BitRecurrence {
    public static final LcsBits INSTANCE = new LcsBits();

    private LcsBits() {}

    @Override
    public int vectors() {
        return 1;
    }

    @Override
    public long left(int vector) {
        return -1;
    }

    @Override
    public int leftStep() {
        return 0;
    }

    @Override
    public long top(int vector) {
        return 0;
    }

    @Override
    public int alone(int words, long[] matches, int[] columns, int m, long lastRows) {
        return LcsLoops.alone(words, matches, columns, m, lastRows);
    }

    @Override
    public int down(long[] vertical, int at, long rows) {
        return Long.bitCount(~vertical[at] & rows);
    }

    @Override
    public int along(long[] horizontal, int at) {
        return Long.bitCount(horizontal[at]);
    }

    @Override
    public long minCost(long row, long column, long value, long[] horizontal, int at) {
        return row + column - 2 * value - Long.bitCount(horizontal[at]);
    }

    @Override
    public Move move(long[] history, int at, int bit) {
        return (history[at] >>> bit & 1) == 1 ? Move.A : Move.B;
    }

    @Override
    public Strip strip() {
        return LcsLoops::advance;
    }
}
