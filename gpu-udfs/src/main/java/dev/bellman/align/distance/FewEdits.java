package dev.bellman.align.distance;

import dev.bellman.align.SymbolPair;
import dev.bellman.align.Text;
import dev.bellman.columns.Cancellation;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The edit distance between two strings that differ by few edits: Ukkonen, "Algorithms for approximate string
 * matching" (1985). Short ASCII texts are compared byte by byte, and long strings symbol by symbol. For each diagonal
 * {@code j - i = k} and each number of edits, the algorithm computes the furthest row that can be reached with these
 * edits,
 *
 * <pre>{@code
 * f(k, e) = slide(max of f(k, e - 1) + 1, f(k - 1, e - 1), f(k + 1, e - 1) + 1)
 * }</pre>
 *
 * where {@code slide} advances along equal bytes or symbols. The distance is the smallest {@code e} with which the end
 * is reached. Therefore, unrelated texts take about {@code (max + 1)^2} steps, regardless of their length, and long
 * strings take about as many steps as the square of their distance.
 */
abstract class FewEdits {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The value for a row that cannot be reached: so far below 0 that it stays negative when edits are added. */
    private static final int NONE = -1 << 20;

    /**
     * The maximum limit, and the maximum length of texts that are compared byte by byte. A comparison of bytes cannot
     * be cancelled, unlike a comparison of symbols.
     */
    private static final int LONGEST = 1 << 16;

    /** The measured cost of a step, relative to the cost of a column of a bit-parallel table. */
    private static final int COLUMNS_OF_A_STEP = 2;

    /** The measured cost of preparing a bit-parallel table, relative to the cost of a column of that table. */
    private static final int COLUMNS_BEFORE = 16;

    /**
     * The minimum ratio of length to distance at which this algorithm takes less time for long strings than a band of a
     * bit-parallel table.
     */
    private static final int LETTERS_OF_AN_EDIT = 128;

    /** The number of edits after which the distance between long strings is first estimated, roughly. */
    private static final int FIRST_ESTIMATE = 8;

    /** The number of symbols that are compared one by one before the rest is compared by vector instructions. */
    private static final int ONE_BY_ONE = 8;

    /** The length of {@code a}. */
    final int n;

    /** The length of {@code b}. */
    final int m;

    private FewEdits(int n, int m) {
        this.n = n;
        this.m = m;
    }

    /**
     * Whether to compare the bytes of two texts with this algorithm: both are ASCII and at most {@link #LONGEST} long,
     * and the limit is so small that no method is faster.
     */
    static boolean pays(Text a, Text b, int max) {
        if (!a.isAscii() || !b.isAscii() || Math.max(max, Math.max(a.length(), b.length())) > LONGEST) {
            return false;
        }
        long steps = (max + 1L) * (max + 1L);
        return steps * COLUMNS_OF_A_STEP <= Math.min(a.length(), b.length()) + COLUMNS_BEFORE;
    }

    /** Returns the distance, or -1 if it exceeds {@code max}, which must not be negative. */
    static int distance(byte[] a, byte[] b, int max) {
        return new OfBytes(a, b).within(max);
    }

    /**
     * Returns the distance between two long strings if it is at most {@code max} and so small that this algorithm is
     * the fastest one; otherwise -1. If the distance is probably too large, this method gives up in a small fraction of
     * the time that a band would take.
     */
    static int distance(SymbolPair pair, int max) {
        int shorter = Math.min(pair.aLength(), pair.bLength());
        int most = Math.min(max, Math.min(shorter / LETTERS_OF_AN_EDIT, LONGEST));
        return most < 0 ? -1 : new OfSymbols(pair).within(most);
    }

    /**
     * Returns the first row, starting at {@code row}, whose symbol in {@code a} differs from the symbol of {@code b} in
     * column {@code row + shift}, or the row where one of the strings ends.
     */
    abstract int slide(int row, int shift);

    /**
     * Whether the search should continue; called before each further edit.
     *
     * @param furthest the furthest row that at most {@code edits} edits reach on any diagonal
     */
    abstract boolean continues(int edits, int max, int furthest);

    /** Returns the distance, or -1 if it exceeds {@code max} or the search ends earlier. */
    final int within(int max) {
        int last = m - n;
        if (Math.abs(last) > max) {
            return -1;
        }
        // f(k, e) is at index k + middle; the first and the last entry are never reached
        int middle = max + 1;
        int[] furthest = new int[2 * max + 3];
        Arrays.fill(furthest, NONE);
        furthest[middle] = slide(0, 0);
        int reached = furthest[middle];
        for (int edits = 0; ; edits++) {
            if (furthest[middle + last] == n) {
                return edits;
            }
            if (edits == max || !continues(edits, max, reached)) {
                return -1;
            }
            // visit only the diagonals from which the remaining edits can reach the last diagonal
            int rest = max - edits - 1;
            int first = Math.max(-edits - 1, last - rest);
            int end = Math.min(edits + 1, last + rest);
            int left = furthest[middle + first - 1];
            for (int k = first; k <= end; k++) {
                int here = furthest[middle + k];
                int row = Math.max(Math.max(here, furthest[middle + k + 1]) + 1, left);
                // stay within the last row and the last column
                row = Math.min(row, Math.min(n, m - k));
                row = row < 0 ? NONE : slide(row, k);
                furthest[middle + k] = row;
                reached = Math.max(reached, row);
                left = here;
            }
        }
    }

    private static final class OfBytes extends FewEdits {
        private final byte[] a;
        private final byte[] b;

        OfBytes(byte[] a, byte[] b) {
            super(a.length, b.length);
            this.a = a;
            this.b = b;
        }

        @Override
        boolean continues(int edits, int max, int furthest) {
            return true;
        }

        @Override
        int slide(int from, int shift) {
            int row = from;
            int end = Math.min(a.length, b.length - shift);
            for (; row <= end - Long.BYTES; row += Long.BYTES) {
                long differences = (long) LONGS.get(a, row) ^ (long) LONGS.get(b, row + shift);
                if (differences != 0) {
                    return row + Long.numberOfTrailingZeros(differences) / Byte.SIZE;
                }
            }
            while (row < end && a[row] == b[row + shift]) {
                row++;
            }
            return row;
        }
    }

    /** Compares the symbols of long strings. */
    private static final class OfSymbols extends FewEdits {
        private final int[] a;
        private final int[] b;
        private final Cancellation cancellation = new Cancellation();

        OfSymbols(SymbolPair pair) {
            super(pair.aLength(), pair.bLength());
            a = pair.a();
            b = pair.b();
        }

        /**
         * Each time the number of edits reaches a power of two from {@link #FIRST_ESTIMATE} on, estimates the distance
         * from the fraction of rows reached so far. Ends the search if the estimate exceeds {@code max}, or twice
         * {@code max} for the first, rough estimate.
         */
        @Override
        boolean continues(int edits, int max, int furthest) {
            cancellation.count(2L * edits + 1);
            if (edits < FIRST_ESTIMATE || (edits & edits - 1) != 0) {
                return true;
            }
            long most = edits == FIRST_ESTIMATE ? 2L * max : max;
            return (long) edits * n <= most * Math.max(0, furthest);
        }

        @Override
        int slide(int from, int shift) {
            int end = Math.min(n, m - shift);
            int near = Math.min(end, from + ONE_BY_ONE);
            int row = from;
            while (row < near && a[row] == b[row + shift]) {
                row++;
            }
            if (row < near || row == end) {
                return row;
            }
            int equal = Arrays.mismatch(a, row, end, b, row + shift, end + shift);
            return equal < 0 ? end : row + equal;
        }
    }
}
