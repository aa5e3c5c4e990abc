package dev.bellman.align.distance.bits;

import dev.bellman.align.Move;

/**
 * The longest common subsequence on 64-bit words: M. Crochemore, C. Iliopoulos, Y. Pinzon and J. Reid, "A fast and practical
 * bit-vector algorithm for the longest common subsequence problem" (2001), with the carry between words of H. Hyyrö,
 * "Bit-parallel LCS-length computation revisited" (2004).
 *
 * <p>Going down a column, a cell equals the cell above or is one more. One vector holds the rows {@code v} where it is equal.
 * In the next column, each run of rows up to and including an increase moves its increase up to the run's first match: the
 * addition {@code v + (v & x)} does that for all runs at once, where {@code x} has the rows whose symbol is the column's. What
 * an addition carries out of its last row is the horizontal difference of that row.
 *
 * <p>The history holds {@code v}. On different symbols, consuming {@code a} is optimal where a cell equals the cell above.
 */
public final class LcsBits implements BitRecurrence {
    public static final LcsBits INSTANCE = new LcsBits();

    private static final long LAST = Long.MIN_VALUE;

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
        return switch (words) {
            case 1 -> alone1(matches, columns, m, lastRows);
            case 2 -> alone2(matches, columns, m, lastRows);
            case 3 -> alone3(matches, columns, m, lastRows);
            default -> alone4(matches, columns, m, lastRows);
        };
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
    public long leastCost(long row, long column, long value, long[] horizontal, int at) {
        return row + column - 2 * value - Long.bitCount(horizontal[at]);
    }

    @Override
    public Move move(long[] history, int at, int bit) {
        return (history[at] >>> bit & 1) == 1 ? Move.A : Move.B;
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
        switch (words) {
            case 1 -> advance1(matches, columns, from, to, vertical, verticalAt, horizontal, history, historyAt);
            case 2 ->
                advance2(
                        matches,
                        columns,
                        from,
                        to,
                        vertical,
                        verticalAt,
                        horizontal,
                        history,
                        historyAt,
                        historyStride);
            default ->
                advance3(
                        matches,
                        columns,
                        from,
                        to,
                        vertical,
                        verticalAt,
                        horizontal,
                        history,
                        historyAt,
                        historyStride);
        }
    }

    // The carry out of sum = v + u + carry, where u is part of v, is the last bit of u | v & ~sum.

    private static void advance1(
            long[] matches,
            int[] columns,
            int from,
            int to,
            long[] vertical,
            int verticalAt,
            long[] horizontal,
            long[] history,
            int historyAt) {
        long v0 = vertical[verticalAt];
        for (int group = from; group < to; group += 64) {
            int end = Math.min(to, group + 64);
            long in = horizontal[group >>> 6];
            long out = 0;
            for (int j = group; j < end; j++) {
                long u = v0 & matches[columns[j]];
                long sum = v0 + u + (in & 1);
                in >>>= 1;
                out = out >>> 1 | (u | v0 & ~sum) & LAST;
                v0 = sum | v0 ^ u;

                if (history != null) {
                    history[historyAt + j] = v0;
                }
            }
            horizontal[group >>> 6] = out >>> group + 64 - end;
        }
        vertical[verticalAt] = v0;
    }

    private static void advance2(
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
        long v0 = vertical[verticalAt];
        long v1 = vertical[verticalAt + 1];
        for (int group = from; group < to; group += 64) {
            int end = Math.min(to, group + 64);
            long in = horizontal[group >>> 6];
            long out = 0;
            for (int j = group; j < end; j++) {
                int symbol = columns[j];
                long u = v0 & matches[symbol];
                long sum = v0 + u + (in & 1);
                in >>>= 1;
                long carry = (u | v0 & ~sum) >>> 63;
                v0 = sum | v0 ^ u;

                u = v1 & matches[symbol + 1];
                sum = v1 + u + carry;
                out = out >>> 1 | (u | v1 & ~sum) & LAST;
                v1 = sum | v1 ^ u;

                if (history != null) {
                    history[historyAt + j] = v0;
                    history[historyAt + j + historyStride] = v1;
                }
            }
            horizontal[group >>> 6] = out >>> group + 64 - end;
        }
        vertical[verticalAt] = v0;
        vertical[verticalAt + 1] = v1;
    }

    private static void advance3(
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
        long v0 = vertical[verticalAt];
        long v1 = vertical[verticalAt + 1];
        long v2 = vertical[verticalAt + 2];
        for (int group = from; group < to; group += 64) {
            int end = Math.min(to, group + 64);
            long in = horizontal[group >>> 6];
            long out = 0;
            for (int j = group; j < end; j++) {
                int symbol = columns[j];
                long u = v0 & matches[symbol];
                long sum = v0 + u + (in & 1);
                in >>>= 1;
                long carry = (u | v0 & ~sum) >>> 63;
                v0 = sum | v0 ^ u;

                u = v1 & matches[symbol + 1];
                sum = v1 + u + carry;
                carry = (u | v1 & ~sum) >>> 63;
                v1 = sum | v1 ^ u;

                u = v2 & matches[symbol + 2];
                sum = v2 + u + carry;
                out = out >>> 1 | (u | v2 & ~sum) & LAST;
                v2 = sum | v2 ^ u;

                if (history != null) {
                    history[historyAt + j] = v0;
                    history[historyAt + j + historyStride] = v1;
                    history[historyAt + j + 2 * historyStride] = v2;
                }
            }
            horizontal[group >>> 6] = out >>> group + 64 - end;
        }
        vertical[verticalAt] = v0;
        vertical[verticalAt + 1] = v1;
        vertical[verticalAt + 2] = v2;
    }

    private static int alone1(long[] matches, int[] columns, int m, long lastRows) {
        long v0 = -1;
        for (int j = 0; j < m; j++) {
            int symbol = columns[j];
            long u = v0 & matches[symbol];
            long sum = v0 + u;
            v0 = sum | v0 ^ u;
        }
        return Long.bitCount(~v0 & lastRows);
    }

    private static int alone2(long[] matches, int[] columns, int m, long lastRows) {
        long v0 = -1;
        long v1 = -1;
        for (int j = 0; j < m; j++) {
            int symbol = columns[j];
            long u = v0 & matches[symbol];
            long sum = v0 + u;
            long carry = (u | v0 & ~sum) >>> 63;
            v0 = sum | v0 ^ u;

            u = v1 & matches[symbol + 1];
            sum = v1 + u + carry;
            v1 = sum | v1 ^ u;
        }
        return Long.bitCount(~v0) + Long.bitCount(~v1 & lastRows);
    }

    private static int alone3(long[] matches, int[] columns, int m, long lastRows) {
        long v0 = -1;
        long v1 = -1;
        long v2 = -1;
        for (int j = 0; j < m; j++) {
            int symbol = columns[j];
            long u = v0 & matches[symbol];
            long sum = v0 + u;
            long carry = (u | v0 & ~sum) >>> 63;
            v0 = sum | v0 ^ u;

            u = v1 & matches[symbol + 1];
            sum = v1 + u + carry;
            carry = (u | v1 & ~sum) >>> 63;
            v1 = sum | v1 ^ u;

            u = v2 & matches[symbol + 2];
            sum = v2 + u + carry;
            v2 = sum | v2 ^ u;
        }
        return Long.bitCount(~v0) + Long.bitCount(~v1) + Long.bitCount(~v2 & lastRows);
    }

    private static int alone4(long[] matches, int[] columns, int m, long lastRows) {
        long v0 = -1;
        long v1 = -1;
        long v2 = -1;
        long v3 = -1;
        for (int j = 0; j < m; j++) {
            int symbol = columns[j];
            long u = v0 & matches[symbol];
            long sum = v0 + u;
            long carry = (u | v0 & ~sum) >>> 63;
            v0 = sum | v0 ^ u;

            u = v1 & matches[symbol + 1];
            sum = v1 + u + carry;
            carry = (u | v1 & ~sum) >>> 63;
            v1 = sum | v1 ^ u;

            u = v2 & matches[symbol + 2];
            sum = v2 + u + carry;
            carry = (u | v2 & ~sum) >>> 63;
            v2 = sum | v2 ^ u;

            u = v3 & matches[symbol + 3];
            sum = v3 + u + carry;
            v3 = sum | v3 ^ u;
        }
        return Long.bitCount(~v0) + Long.bitCount(~v1) + Long.bitCount(~v2) + Long.bitCount(~v3 & lastRows);
    }
}
