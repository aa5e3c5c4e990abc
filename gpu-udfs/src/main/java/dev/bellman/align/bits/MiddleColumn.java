package dev.bellman.align.bits;

/**
 * Computes the edit distance of two ASCII strings in half the steps: the left half of the table from the first cell,
 * and the right half from the last cell, as a table of the reversed strings. The same vector instructions compute both
 * halves ({@link BothEnds}). Every path visits the middle column, so the distance is the minimum sum of both halves'
 * cells in a row of this column. Hirschberg, "A linear space algorithm for computing maximal common subsequences"
 * (1975), divides tables in the same way.
 *
 * <p>Each half consists of 128 rows: the left half of the first, and the right half of the last. If the table has more
 * rows, only some rows belong to both halves. A path through any other row of the middle column has at least as many
 * insertions and deletions as the column's cell is away from the diagonals of the table's first and last cell. If the
 * minimum is not larger, it is the distance; this is the case for unrelated nucleotide sequences of up to 165
 * characters.
 */
final class MiddleColumn {
    /** The result if the distance is not known. */
    static final int UNKNOWN = -1;

    /** The minimum length of both strings for which this algorithm pays off; at least 65. */
    private static final int MIN_LENGTH = 96;

    private static final int HALF_ROWS = 2 * Long.SIZE;
    private static final int CHARACTERS = 128;

    /** The number of tables with more than 128 rows that are not tried after an unknown distance. */
    private static final int PAUSE = 16;

    /** The number of pairs, a power of two, for which compiling the vector code pays off. */
    private static final int MANY_PAIRS = 1 << 22;

    /** The maximum time, in nanoseconds, that compiled code takes. */
    private static final int FAST = 3000;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = ONES << 7;

    /** The value 0 of the bytes in {@link #min}. */
    private static final int ZERO = 16;

    /** The number of pairs until now; threads may overwrite each other's counts. */
    private static int pairs;

    /** The only instance that runs the vector code before it is compiled, when it takes a hundred times as long. */
    private static MiddleColumn first;

    private static boolean isCompiled;

    private final long[] matches = new long[(CHARACTERS + 1) * BothEnds.STRIDE];
    private final long[] vertical = new long[2 * BothEnds.STRIDE];
    private int pause;
    private int min;
    private int sum;

    /** Whether {@link #distance} supports tables of this size, and should compute the next one. */
    boolean isNext(int n, int m) {
        if (Math.min(n, m) < MIN_LENGTH || n >= HALF_ROWS + Long.SIZE) {
            return false;
        }
        if (n > HALF_ROWS && pause > 0) {
            pause--;
            return false;
        }
        return isCompiled || first == this || isFirst();
    }

    /** Whether this instance becomes {@link #first}. After many pairs, another does, because threads may end. */
    private boolean isFirst() {
        boolean isFirst = (++pairs & MANY_PAIRS - 1) == 0 && BothEnds.VECTORS.isPresent();
        if (isFirst) {
            first = this;
        }
        return isFirst;
    }

    /** Sets the rows that contain a character, which the words from {@code rows[at]} give for the {@code n} rows. */
    void match(byte character, long[] rows, int at, int n) {
        int own = character * BothEnds.STRIDE;
        int words = n + 63 >>> 6;
        matches[own] = rows[at];
        matches[own + 1] = rows[at + 1];
        // the last row becomes the lowest bit
        int beyond = -n & 63;
        long last = Long.reverse(rows[at + words - 1]);
        long middle = Long.reverse(rows[at + words - 2]);
        long first = words == 2 ? 0 : Long.reverse(rows[at]);
        matches[own + 2] = last >>> beyond | middle << 1 << 63 - beyond;
        matches[own + 3] = middle >>> beyond | first << 1 << 63 - beyond;
    }

    void unmatch(byte character) {
        for (int word = 0; word < BothEnds.STRIDE; word++) {
            matches[character * BothEnds.STRIDE + word] = 0;
        }
    }

    /** Returns the distance, or {@link #UNKNOWN}. */
    int distance(byte[] columns, int begin, int n, int m) {
        BothEnds ends = BothEnds.VECTORS.orElseThrow();
        long start = isCompiled ? 0 : System.nanoTime();
        ends.advance(matches, CHARACTERS * BothEnds.STRIDE, columns, begin, m, vertical);
        if (!isCompiled) {
            isCompiled = System.nanoTime() - start < FAST;
        }
        int distance = meet(n, m, m >> 1);
        if (distance == UNKNOWN) {
            pause = PAUSE;
        }
        return distance;
    }

    /** Returns the minimum of the sums of both halves' cells in column {@code column}. */
    private int meet(int n, int m, int column) {
        int from = Math.max(0, n - HALF_ROWS);
        int to = Math.min(n, HALF_ROWS);
        long above = ~(-1L << from);
        // the right half's rows in the order of the left half
        int beyond = Math.max(0, HALF_ROWS - n);
        long increaseHigh = Long.reverse(vertical[2]);
        long increaseLow = shifted(increaseHigh, Long.reverse(vertical[3]), beyond);
        long decreaseHigh = Long.reverse(vertical[6]);
        long decreaseLow = shifted(decreaseHigh, Long.reverse(vertical[7]), beyond);
        increaseHigh >>>= beyond;
        decreaseHigh >>>= beyond;
        sum = m
                + (Long.bitCount(vertical[0] & above) - Long.bitCount(vertical[4] & above))
                + (Long.bitCount(increaseLow) - Long.bitCount(decreaseLow))
                + (Long.bitCount(increaseHigh) - Long.bitCount(decreaseHigh));
        min = sum;
        down(
                shifted(vertical[1], vertical[0], from),
                shifted(vertical[5], vertical[4], from),
                increaseLow,
                decreaseLow,
                Long.SIZE);
        down(vertical[1] >>> from, vertical[5] >>> from, increaseHigh, decreaseHigh, to - from - Long.SIZE);
        boolean isKnown =
                n <= HALF_ROWS || min <= Math.min(deviation(from - 1, column, n, m), deviation(to + 1, column, n, m));
        return isKnown ? min : UNKNOWN;
    }

    /** Returns the low word of two words that are shifted right by less than 64. */
    private static long shifted(long high, long low, int by) {
        return low >>> by | high << 1 << 63 - by;
    }

    /** Returns a lower bound of the cost of the paths through a cell. */
    private static int deviation(int row, int column, int n, int m) {
        return Math.abs(row - column) + Math.abs(n - row - (m - column));
    }

    /**
     * Updates {@link #sum} and {@link #min} in the next {@code height} rows, eight rows at a time: byte k sums up the
     * differences of the rows 8k to 8k + 7, from which it also computes the minimum.
     *
     * @param p increases of the left half; {@code n}, its decreases
     * @param q increases of the right half from row to row, seen from its end; {@code r}, its decreases
     */
    private void down(long p, long n, long q, long r, int height) {
        long rows = -1L >>> -height;
        p |= ~rows;
        n &= rows;
        long change = ONES * ZERO;
        long least = change;
        for (int i = 0; i < Byte.SIZE; i++) {
            change += (p >>> i & ONES) + (r >>> i & ONES) - (n >>> i & ONES) - (q >>> i & ONES);
            long decrease = (least | HIGH_BITS) - change;
            least -= decrease & (decrease >>> 7 & ONES) * 0x7f;
        }
        for (int top = 0; top < height; top += Byte.SIZE) {
            min = Math.min(min, sum + (int) (least >>> top & 0xff) - ZERO);
            sum += (int) (change >>> top & 0xff) - ZERO;
        }
    }
}
