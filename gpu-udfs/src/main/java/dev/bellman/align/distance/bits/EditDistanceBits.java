package dev.bellman.align.distance.bits;

import dev.bellman.align.Move;

/**
 * The edit distance on 64-bit words: G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic
 * programming" (1999), in the form of H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances"
 * (2003).
 *
 * <p>Neighbouring cells of the table differ by -1, 0 or 1. Two vectors hold the vertical differences of a column: {@code p}
 * has the rows where the cell is one more than the cell above, {@code n} those where it is one less. From them, and from the
 * rows {@code x} whose symbol is the column's, follow the rows {@code d} where a cell equals its diagonal neighbour: an
 * addition carries that property down along runs of {@code p}. Then the horizontal differences {@code hp} and {@code hn},
 * shifted by one row, give the vertical ones of the next column. Between words, the horizontal difference of a word's last row
 * goes into the next word: a decrease acts there as a match in the first row.
 *
 * <p>The history holds {@code d} and the new {@code p}. On different symbols the diagonal is optimal where the cell is not
 * equal to its diagonal neighbour; otherwise consuming {@code a} is where the cell is one more than the cell above.
 */
public final class EditDistanceBits implements BitRecurrence {
    public static final EditDistanceBits INSTANCE = new EditDistanceBits();

    private static final long LAST = Long.MIN_VALUE;

    private EditDistanceBits() {}

    @Override
    public int vectors() {
        return 2;
    }

    @Override
    public long left(int vector) {
        return vector == 0 ? -1 : 0;
    }

    @Override
    public int leftStep() {
        return 1;
    }

    @Override
    public long top(int vector) {
        return left(vector);
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
        return Long.bitCount(vertical[at] & rows) - Long.bitCount(vertical[at + 1] & rows);
    }

    @Override
    public int along(long[] horizontal, int at) {
        return Long.bitCount(horizontal[at]) - Long.bitCount(horizontal[at + 1]);
    }

    @Override
    public long leastCost(long row, long column, long value, long[] horizontal, int at) {
        return value - Long.bitCount(horizontal[at + 1]);
    }

    @Override
    public Move move(long[] history, int at, int bit) {
        if ((history[at] >>> bit & 1) == 0) {
            return Move.DIAGONAL;
        }
        return (history[at + 1] >>> bit & 1) == 1 ? Move.A : Move.B;
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
        long p0 = vertical[verticalAt];
        long n0 = vertical[verticalAt + 1];
        for (int group = from; group < to; group += 64) {
            int end = Math.min(to, group + 64);
            int at = group >>> 5;
            long pIn = horizontal[at];
            long nIn = horizontal[at + 1];
            long pOut = 0;
            long nOut = 0;
            for (int j = group; j < end; j++) {
                long pUp = pIn & 1;
                long nUp = nIn & 1;
                pIn >>>= 1;
                nIn >>>= 1;

                long x = matches[columns[j]] | nUp;
                long d0 = (((x & p0) + p0) ^ p0) | x | n0;
                long hp = n0 | ~(d0 | p0);
                long hn = p0 & d0;
                pOut = pOut >>> 1 | hp & LAST;
                nOut = nOut >>> 1 | hn & LAST;
                hp = hp << 1 | pUp;
                hn = hn << 1 | nUp;
                p0 = hn | ~(d0 | hp);
                n0 = hp & d0;

                if (history != null) {
                    int cell = historyAt + 2 * j;
                    history[cell] = d0;
                    history[cell + 1] = p0;
                }
            }
            horizontal[at] = pOut >>> group + 64 - end;
            horizontal[at + 1] = nOut >>> group + 64 - end;
        }
        vertical[verticalAt] = p0;
        vertical[verticalAt + 1] = n0;
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
        long p0 = vertical[verticalAt];
        long n0 = vertical[verticalAt + 1];
        long p1 = vertical[verticalAt + 2];
        long n1 = vertical[verticalAt + 3];
        for (int group = from; group < to; group += 64) {
            int end = Math.min(to, group + 64);
            int at = group >>> 5;
            long pIn = horizontal[at];
            long nIn = horizontal[at + 1];
            long pOut = 0;
            long nOut = 0;
            for (int j = group; j < end; j++) {
                int symbol = columns[j];
                long pUp = pIn & 1;
                long nUp = nIn & 1;
                pIn >>>= 1;
                nIn >>>= 1;

                long x = matches[symbol] | nUp;
                long d0 = (((x & p0) + p0) ^ p0) | x | n0;
                long hp = n0 | ~(d0 | p0);
                long hn = p0 & d0;
                long pUp1 = hp >>> 63;
                long nUp1 = hn >>> 63;
                hp = hp << 1 | pUp;
                hn = hn << 1 | nUp;
                p0 = hn | ~(d0 | hp);
                n0 = hp & d0;

                x = matches[symbol + 1] | nUp1;
                long d1 = (((x & p1) + p1) ^ p1) | x | n1;
                hp = n1 | ~(d1 | p1);
                hn = p1 & d1;
                pOut = pOut >>> 1 | hp & LAST;
                nOut = nOut >>> 1 | hn & LAST;
                hp = hp << 1 | pUp1;
                hn = hn << 1 | nUp1;
                p1 = hn | ~(d1 | hp);
                n1 = hp & d1;

                if (history != null) {
                    int cell = historyAt + 2 * j;
                    history[cell] = d0;
                    history[cell + 1] = p0;
                    history[cell + historyStride] = d1;
                    history[cell + historyStride + 1] = p1;
                }
            }
            horizontal[at] = pOut >>> group + 64 - end;
            horizontal[at + 1] = nOut >>> group + 64 - end;
        }
        vertical[verticalAt] = p0;
        vertical[verticalAt + 1] = n0;
        vertical[verticalAt + 2] = p1;
        vertical[verticalAt + 3] = n1;
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
        long p0 = vertical[verticalAt];
        long n0 = vertical[verticalAt + 1];
        long p1 = vertical[verticalAt + 2];
        long n1 = vertical[verticalAt + 3];
        long p2 = vertical[verticalAt + 4];
        long n2 = vertical[verticalAt + 5];
        for (int group = from; group < to; group += 64) {
            int end = Math.min(to, group + 64);
            int at = group >>> 5;
            long pIn = horizontal[at];
            long nIn = horizontal[at + 1];
            long pOut = 0;
            long nOut = 0;
            for (int j = group; j < end; j++) {
                int symbol = columns[j];
                long pUp = pIn & 1;
                long nUp = nIn & 1;
                pIn >>>= 1;
                nIn >>>= 1;

                long x = matches[symbol] | nUp;
                long d0 = (((x & p0) + p0) ^ p0) | x | n0;
                long hp = n0 | ~(d0 | p0);
                long hn = p0 & d0;
                long pUp1 = hp >>> 63;
                long nUp1 = hn >>> 63;
                hp = hp << 1 | pUp;
                hn = hn << 1 | nUp;
                p0 = hn | ~(d0 | hp);
                n0 = hp & d0;

                x = matches[symbol + 1] | nUp1;
                long d1 = (((x & p1) + p1) ^ p1) | x | n1;
                hp = n1 | ~(d1 | p1);
                hn = p1 & d1;
                long pUp2 = hp >>> 63;
                long nUp2 = hn >>> 63;
                hp = hp << 1 | pUp1;
                hn = hn << 1 | nUp1;
                p1 = hn | ~(d1 | hp);
                n1 = hp & d1;

                x = matches[symbol + 2] | nUp2;
                long d2 = (((x & p2) + p2) ^ p2) | x | n2;
                hp = n2 | ~(d2 | p2);
                hn = p2 & d2;
                pOut = pOut >>> 1 | hp & LAST;
                nOut = nOut >>> 1 | hn & LAST;
                hp = hp << 1 | pUp2;
                hn = hn << 1 | nUp2;
                p2 = hn | ~(d2 | hp);
                n2 = hp & d2;

                if (history != null) {
                    int cell = historyAt + 2 * j;
                    history[cell] = d0;
                    history[cell + 1] = p0;
                    history[cell + historyStride] = d1;
                    history[cell + historyStride + 1] = p1;
                    history[cell + 2 * historyStride] = d2;
                    history[cell + 2 * historyStride + 1] = p2;
                }
            }
            horizontal[at] = pOut >>> group + 64 - end;
            horizontal[at + 1] = nOut >>> group + 64 - end;
        }
        vertical[verticalAt] = p0;
        vertical[verticalAt + 1] = n0;
        vertical[verticalAt + 2] = p1;
        vertical[verticalAt + 3] = n1;
        vertical[verticalAt + 4] = p2;
        vertical[verticalAt + 5] = n2;
    }

    private static int alone1(long[] matches, int[] columns, int m, long lastRows) {
        long p0 = -1;
        long n0 = 0;
        for (int j = 0; j < m; j++) {
            int symbol = columns[j];

            long x = matches[symbol];
            long d = (((x & p0) + p0) ^ p0) | x | n0;
            long hp = n0 | ~(d | p0);
            long hn = p0 & d;
            hp = hp << 1 | 1;
            hn = hn << 1;
            p0 = hn | ~(d | hp);
            n0 = hp & d;
        }
        return m + Long.bitCount(p0 & lastRows) - Long.bitCount(n0 & lastRows);
    }

    private static int alone2(long[] matches, int[] columns, int m, long lastRows) {
        long p0 = -1;
        long n0 = 0;
        long p1 = -1;
        long n1 = 0;
        for (int j = 0; j < m; j++) {
            int symbol = columns[j];

            long x = matches[symbol];
            long d = (((x & p0) + p0) ^ p0) | x | n0;
            long hp = n0 | ~(d | p0);
            long hn = p0 & d;
            long pUp1 = hp >>> 63;
            long nUp1 = hn >>> 63;
            hp = hp << 1 | 1;
            hn = hn << 1;
            p0 = hn | ~(d | hp);
            n0 = hp & d;

            x = matches[symbol + 1] | nUp1;
            d = (((x & p1) + p1) ^ p1) | x | n1;
            hp = n1 | ~(d | p1);
            hn = p1 & d;
            hp = hp << 1 | pUp1;
            hn = hn << 1 | nUp1;
            p1 = hn | ~(d | hp);
            n1 = hp & d;
        }
        return m + Long.bitCount(p0) + Long.bitCount(p1 & lastRows) - Long.bitCount(n0) - Long.bitCount(n1 & lastRows);
    }

    private static int alone3(long[] matches, int[] columns, int m, long lastRows) {
        long p0 = -1;
        long n0 = 0;
        long p1 = -1;
        long n1 = 0;
        long p2 = -1;
        long n2 = 0;
        for (int j = 0; j < m; j++) {
            int symbol = columns[j];

            long x = matches[symbol];
            long d = (((x & p0) + p0) ^ p0) | x | n0;
            long hp = n0 | ~(d | p0);
            long hn = p0 & d;
            long pUp1 = hp >>> 63;
            long nUp1 = hn >>> 63;
            hp = hp << 1 | 1;
            hn = hn << 1;
            p0 = hn | ~(d | hp);
            n0 = hp & d;

            x = matches[symbol + 1] | nUp1;
            d = (((x & p1) + p1) ^ p1) | x | n1;
            hp = n1 | ~(d | p1);
            hn = p1 & d;
            long pUp2 = hp >>> 63;
            long nUp2 = hn >>> 63;
            hp = hp << 1 | pUp1;
            hn = hn << 1 | nUp1;
            p1 = hn | ~(d | hp);
            n1 = hp & d;

            x = matches[symbol + 2] | nUp2;
            d = (((x & p2) + p2) ^ p2) | x | n2;
            hp = n2 | ~(d | p2);
            hn = p2 & d;
            hp = hp << 1 | pUp2;
            hn = hn << 1 | nUp2;
            p2 = hn | ~(d | hp);
            n2 = hp & d;
        }
        return m
                + Long.bitCount(p0)
                + Long.bitCount(p1)
                + Long.bitCount(p2 & lastRows)
                - Long.bitCount(n0)
                - Long.bitCount(n1)
                - Long.bitCount(n2 & lastRows);
    }

    private static int alone4(long[] matches, int[] columns, int m, long lastRows) {
        long p0 = -1;
        long n0 = 0;
        long p1 = -1;
        long n1 = 0;
        long p2 = -1;
        long n2 = 0;
        long p3 = -1;
        long n3 = 0;
        for (int j = 0; j < m; j++) {
            int symbol = columns[j];

            long x = matches[symbol];
            long d = (((x & p0) + p0) ^ p0) | x | n0;
            long hp = n0 | ~(d | p0);
            long hn = p0 & d;
            long pUp1 = hp >>> 63;
            long nUp1 = hn >>> 63;
            hp = hp << 1 | 1;
            hn = hn << 1;
            p0 = hn | ~(d | hp);
            n0 = hp & d;

            x = matches[symbol + 1] | nUp1;
            d = (((x & p1) + p1) ^ p1) | x | n1;
            hp = n1 | ~(d | p1);
            hn = p1 & d;
            long pUp2 = hp >>> 63;
            long nUp2 = hn >>> 63;
            hp = hp << 1 | pUp1;
            hn = hn << 1 | nUp1;
            p1 = hn | ~(d | hp);
            n1 = hp & d;

            x = matches[symbol + 2] | nUp2;
            d = (((x & p2) + p2) ^ p2) | x | n2;
            hp = n2 | ~(d | p2);
            hn = p2 & d;
            long pUp3 = hp >>> 63;
            long nUp3 = hn >>> 63;
            hp = hp << 1 | pUp2;
            hn = hn << 1 | nUp2;
            p2 = hn | ~(d | hp);
            n2 = hp & d;

            x = matches[symbol + 3] | nUp3;
            d = (((x & p3) + p3) ^ p3) | x | n3;
            hp = n3 | ~(d | p3);
            hn = p3 & d;
            hp = hp << 1 | pUp3;
            hn = hn << 1 | nUp3;
            p3 = hn | ~(d | hp);
            n3 = hp & d;
        }
        return m
                + Long.bitCount(p0)
                + Long.bitCount(p1)
                + Long.bitCount(p2)
                + Long.bitCount(p3 & lastRows)
                - Long.bitCount(n0)
                - Long.bitCount(n1)
                - Long.bitCount(n2)
                - Long.bitCount(n3 & lastRows);
    }
}
