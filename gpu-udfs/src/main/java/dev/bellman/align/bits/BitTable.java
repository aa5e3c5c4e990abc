package dev.bellman.align.bits;

import dev.bellman.align.Move;
import dev.bellman.align.SymbolPair;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * The table of two strings, computed on words of 64 rows. The table is divided into strips, each of which covers a few
 * words of rows and all columns, or only the columns of the band described below. Only the horizontal differences of a
 * strip's last row are passed on to the next strip, and the table of matches contains only the rows of one strip.
 * Therefore, a pass needs memory for a few bits per row and column, and for a table with one entry per symbol that
 * occurs.
 *
 * <p><b>Band.</b> If only results up to a limit on insertions and deletions matter, a pass visits only the diagonals
 * that a path within the limit can use (Ukkonen, "Algorithms for approximate string matching", 1985). A path over
 * diagonal {@code j - i = p} has at least {@code |p| + |m - n - p|} insertions and deletions. Outside the band,
 * differences are assumed to be the worst possible, as on the border of the table. Therefore, every value is the value
 * of some path, and the values of all cells on paths within the limit are exact.
 *
 * <p><b>Backtrace.</b> If the history of all cells is small and neither string exceeds 65,536 symbols, it is stored.
 * Otherwise, a first pass stores checkpoints: the horizontal differences of every {@code t}-th row and the vertical
 * differences of every {@code t}-th column. The backtrace then recomputes, with history, each tile of {@code t} x
 * {@code t} cells that it enters. With {@code t = (n m)^(1/3)}, this takes about {@code (n m)^(2/3)} bytes: 4 MB for
 * 100,000 x 100,000 cells, 75 MB for 1,000,000 x 1,000,000 cells.
 */
public final class BitTable {
    /** The limit that excludes nothing, so that the whole table is computed. */
    public static final int WHOLE = -1;

    /** The maximum size, in words, of a history without checkpoints; in total, this is 1 MiB. */
    private static final long SMALL = 1 << 17;

    private static final int MIN_TILE = 1 << 11;
    private static final int MAX_TILE = 1 << 16;

    private final BitRecurrence recurrence;
    private final BitRecurrence.Strip strip;
    private final SymbolPair pair;
    private final int[] rows;
    private final int[] columns;
    private final int n;
    private final int m;
    private final int words;
    private final int vectors;
    private final long[] matches;
    private final long[] vertical;
    private final long[] horizontal;
    private final long lowestDiagonal;
    private final long highestDiagonal;
    private final boolean whole;

    private final Cancellation cancellation = new Cancellation();

    private int tileRows;
    private int tileColumns;
    private long[][] savedRows;
    private long[][] savedColumns;

    private int tileTop;
    private int tileLeft;
    private int tileStride;
    private long[] history;

    private BitTable(BitRecurrence recurrence, SymbolPair pair, int[] rows, int n, int[] columns, int m, int limit) {
        this.recurrence = recurrence;
        strip = recurrence.strip();
        this.pair = pair;
        this.rows = rows;
        this.columns = columns;
        this.n = n;
        this.m = m;
        words = (int) (n + 63L >>> 6);
        vectors = recurrence.vectors();
        matches = pair.matches();
        vertical = pair.vertical(words * vectors);
        horizontal = pair.horizontal((int) (m + 63L >>> 6) * vectors);
        whole = limit == WHOLE;
        lowestDiagonal = -((long) limit - (m - n)) / 2;
        highestDiagonal = ((long) limit + (m - n)) / 2;
        tileRows = words << 6;
        tileColumns = m;
    }

    /**
     * Returns the value of the last cell of the table. Neither string may be empty.
     *
     * @param limit the maximum cost of a path, at least {@code |n - m|}, or {@link #WHOLE}. The result is exact if an
     *     optimal path costs no more; otherwise, it is the value of some path, or -1
     */
    public static int value(BitRecurrence recurrence, SymbolPair pair, int limit) {
        int n = pair.aLength();
        int m = pair.bLength();
        // the problem is symmetric, so the rows are the string for which fewer words must be computed
        return (n + 63L >>> 6) * m <= (m + 63L >>> 6) * n
                ? value(recurrence, pair, pair.a(), n, pair.b(), m, limit)
                : value(recurrence, pair, pair.b(), m, pair.a(), n, limit);
    }

    private static int value(
            BitRecurrence recurrence, SymbolPair pair, int[] rows, int n, int[] columns, int m, int limit) {
        if (n > 64 * BitRecurrence.MAX_WORDS_ALONE) {
            return new BitTable(recurrence, pair, rows, n, columns, m, limit).pass(limit);
        }
        long[] matches = pair.matches();
        match(matches, rows, 0, n);
        int value = recurrence.alone(n + 63 >>> 6, matches, columns, m, -1L >>> -n);
        unmatch(matches, rows, 0, n);
        return value;
    }

    /**
     * Returns the horizontal differences of a row of the table whose rows correspond to {@code a}: {@code vectors()}
     * words per 64 columns.
     *
     * @param row the number of rows up to and including this row, a multiple of 64
     */
    public static long[] row(BitRecurrence recurrence, SymbolPair pair, int row) {
        BitTable table = new BitTable(recurrence, pair, pair.a(), row, pair.b(), pair.bLength(), WHOLE);
        table.pass(WHOLE);
        return table.horizontal;
    }

    /** Returns a table for a backtrace, whose rows correspond to {@code a}; see {@link #value} for the arguments. */
    public static BitTable forBacktrace(BitRecurrence recurrence, SymbolPair pair, int limit) {
        long words = pair.aLength() + 63L >>> 6;
        if (words * pair.bLength() * recurrence.vectors() <= SMALL) {
            return forBacktrace(recurrence, pair, limit, MAX_TILE);
        }
        long tile = Math.round(Math.cbrt((double) pair.aLength() * pair.bLength()));
        return forBacktrace(recurrence, pair, limit, (int) Math.min(MAX_TILE, Math.max(MIN_TILE, tile + 127 & -128L)));
    }

    /**
     * Like {@link #forBacktrace(BitRecurrence, SymbolPair, int)}, but with tiles of at most {@code tile} rows and
     * columns, a multiple of 128.
     */
    public static BitTable forBacktrace(BitRecurrence recurrence, SymbolPair pair, int limit, int tile) {
        BitTable table = new BitTable(recurrence, pair, pair.a(), pair.aLength(), pair.b(), pair.bLength(), limit);
        table.record(tile);
        return table;
    }

    /**
     * Returns the move of the canonical backtrace from the cell after row {@code i} and column {@code j}, whose symbols
     * differ.
     */
    public Move move(int i, int j) {
        if (i < tileTop || j < tileLeft) {
            enter(i - i % tileRows, j - j % tileColumns);
        }
        int row = i - tileTop;
        return recurrence.move(history, (row >>> 6) * tileStride + (j - tileLeft) * vectors, row & 63);
    }

    private void record(int tile) {
        if (n > tile || m > tile) {
            tileRows = Math.min(tileRows, tile);
            tileColumns = Math.min(tileColumns, tile);
            int down = (n - 1) / tileRows;
            int across = (m - 1) / tileColumns;
            TaskMemory.take(
                    Long.BYTES * vectors * (down * (m + 63L >>> 6) + (long) across * words),
                    () -> "the path through a table for %,d by %,d characters".formatted(n, m));
            savedRows = new long[down + 1][];
            savedColumns = new long[across + 1][];
            for (int tileColumn = 1; tileColumn < savedColumns.length; tileColumn++) {
                savedColumns[tileColumn] = new long[words * vectors];
            }
            pass(WHOLE);
        }
        enter((n - 1) / tileRows * tileRows, (m - 1) / tileColumns * tileColumns);
    }

    /**
     * Computes the strips and returns the last cell's value. Returns -1 as soon as it is certain that every path costs
     * more than {@code most}, unless {@code most} is {@link #WHOLE}.
     */
    private int pass(int most) {
        top(horizontal, 0, m);
        long corner = 0;
        int cornerColumn = 0;
        for (int word = 0; ; ) {
            int width = width(word);
            int top = word << 6;
            int height = (int) Math.min((long) width << 6, n - top);
            int from = from(top);
            int to = to(top + height);
            if (savedRows != null && top % tileRows == 0 && top > 0) {
                savedRows[top / tileRows] = Arrays.copyOf(horizontal, (int) (m + 63L >>> 6) * vectors);
            }
            corner += along(cornerColumn, from);
            cornerColumn = from;
            boolean last = word + width == words;
            long rest = last ? along(from, m) : 0;

            cancellation.count(to - from);
            left(word, width);
            match(matches, rows, top, height);
            for (int column = from; column < to; ) {
                int next = (int) Math.min(to, (column / tileColumns + 1L) * tileColumns);
                strip.advance(width, matches, columns, column, next, vertical, word * vectors, horizontal, null, 0, 0);
                if (savedColumns != null && next % tileColumns == 0 && next < m) {
                    System.arraycopy(
                            vertical,
                            word * vectors,
                            savedColumns[next / tileColumns],
                            word * vectors,
                            width * vectors);
                }
                column = next;
            }
            unmatch(matches, rows, top, height);

            if (last) {
                return (int) (corner + rest + down(word, height));
            }
            corner += (long) height * recurrence.leftStep();
            if (most != WHOLE && beyond(most, top + height, corner, from, to)) {
                return -1;
            }
            word += width;
        }
    }

    /**
     * Whether every path that leaves the first {@code row} rows in a column from {@code from} to {@code to} costs more
     * than {@code most}.
     */
    private boolean beyond(int most, int row, long value, int from, int to) {
        long at = value;
        for (int column = from; column < to; column += 64) {
            int word = (column >>> 6) * vectors;
            // the minimum number of insertions or deletions in the rest of a path that starts at any of the 64 columns
            long first = (long) m - column - (n - row);
            long needed = first < 0 ? -first : Math.max(0, first - 64);
            if (recurrence.minCost(row, column, at, horizontal, word) + needed <= most) {
                return false;
            }
            at += recurrence.along(horizontal, word);
        }
        return true;
    }

    /** Computes a tile with its history. */
    private void enter(int top, int left) {
        int right = (int) Math.min(m, (long) left + tileColumns);
        int bottomWord = (int) Math.min(words, (long) top + tileRows >>> 6);
        tileTop = top;
        tileLeft = left;
        tileStride = (right - left) * vectors;
        history = pair.history((bottomWord - (top >>> 6)) * tileStride);
        if (top == 0) {
            top(horizontal, left, right);
        } else {
            int at = (left >>> 6) * vectors;
            System.arraycopy(savedRows[top / tileRows], at, horizontal, at, (int) (right + 63L >>> 6) * vectors - at);
        }
        for (int word = top >>> 6; word < bottomWord; word += width(word)) {
            int width = width(word);
            int start = from(word << 6);
            int from = Math.max(left, start);
            int height = (int) Math.min((long) width << 6, n - (word << 6));
            int to = Math.min(right, to((word << 6) + height));
            if (from >= to) {
                continue;
            }
            cancellation.count(to - from);
            if (start < left) {
                System.arraycopy(
                        savedColumns[left / tileColumns], word * vectors, vertical, word * vectors, width * vectors);
            } else {
                left(word, width);
            }
            match(matches, rows, word << 6, height);
            strip.advance(
                    width,
                    matches,
                    columns,
                    from,
                    to,
                    vertical,
                    word * vectors,
                    horizontal,
                    history,
                    (word - (top >>> 6)) * tileStride - left * vectors,
                    tileStride);
            unmatch(matches, rows, word << 6, height);
        }
    }

    /**
     * Returns the number of words in the strip that begins at {@code word}: all remaining words of the tile if these
     * are 1 or 3, otherwise 2.
     */
    private int width(int word) {
        int left = Math.min(words, (word / (tileRows >>> 6) + 1) * (tileRows >>> 6)) - word;
        return left == 1 || left == BitRecurrence.MAX_WORDS ? left : 2;
    }

    /** Returns the first column that a strip after {@code row} rows needs, rounded down to a multiple of 64. */
    private int from(int row) {
        return whole ? 0 : (int) Math.max(0, row + lowestDiagonal) & -64;
    }

    /**
     * Returns one past the last column that a strip needs if it ends after {@code row} rows. Within the table, this
     * number is rounded up to a multiple of 64.
     */
    private int to(int row) {
        return whole ? m : (int) Math.min(m, row + highestDiagonal + 63 & -64L);
    }

    private void top(long[] differences, int from, int to) {
        int end = (int) (to + 63L >>> 6);
        for (int vector = 0; vector < vectors; vector++) {
            long value = recurrence.top(vector);
            for (int at = from >>> 6; at < end; at++) {
                differences[at * vectors + vector] = value;
            }
            if ((to & 63) != 0) {
                differences[(end - 1) * vectors + vector] &= (1L << to) - 1;
            }
        }
    }

    private void left(int word, int width) {
        for (int at = word; at < word + width; at++) {
            for (int vector = 0; vector < vectors; vector++) {
                vertical[at * vectors + vector] = recurrence.left(vector);
            }
        }
    }

    /** Adds the {@code height} rows starting at {@code top} to the table of matches. */
    private static void match(long[] matches, int[] rows, int top, int height) {
        for (int word = 0; word << 6 < height; word++) {
            int end = top + Math.min(height, word + 1 << 6);
            for (int row = top + (word << 6); row < end; row++) {
                matches[rows[row] + word] |= 1L << row;
            }
        }
    }

    private static void unmatch(long[] matches, int[] rows, int top, int height) {
        for (int word = 0; word << 6 < height; word++) {
            int end = top + Math.min(height, word + 1 << 6);
            for (int row = top + (word << 6); row < end; row++) {
                matches[rows[row] + word] = 0;
            }
        }
    }

    private long along(int from, int to) {
        long sum = 0;
        for (int column = from; column < to; column += 64) {
            sum += recurrence.along(horizontal, (column >>> 6) * vectors);
        }
        return sum;
    }

    private int down(int word, int height) {
        int sum = 0;
        for (int row = 0; row < height; row += 64) {
            long mask = height - row < 64 ? (1L << height - row) - 1 : -1;
            sum += recurrence.down(vertical, (word + (row >>> 6)) * vectors, mask);
        }
        return sum;
    }
}
