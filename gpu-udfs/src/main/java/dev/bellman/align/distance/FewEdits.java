package dev.bellman.align.distance;

import dev.bellman.align.Text;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The edit distance between two ASCII texts up to a small limit, computed on their bytes: Ukkonen, "Algorithms for
 * approximate string matching" (1985). For each diagonal {@code j - i = k} and each number of edits, the algorithm
 * computes the furthest row that can be reached with these edits,
 *
 * <pre>{@code
 * f(k, e) = slide(max of f(k, e - 1) + 1, f(k - 1, e - 1), f(k + 1, e - 1) + 1)
 * }</pre>
 *
 * where {@code slide} advances along equal bytes, which costs nothing. The distance is the smallest {@code e} with
 * which the end is reached. Therefore, unrelated texts take about {@code (max + 1)^2} steps, regardless of their
 * length.
 */
final class FewEdits {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The value for a row that cannot be reached: so far below 0 that it stays negative when edits are added. */
    private static final int NONE = -1 << 20;

    /**
     * The maximum text length and the maximum limit for which this algorithm is used. Longer texts need an algorithm
     * that can be cancelled, and a larger limit never pays off.
     */
    private static final int LONGEST = 1 << 16;

    /** The measured cost of a step, relative to the cost of a column of a bit-parallel table. */
    private static final int COLUMNS_OF_A_STEP = 2;

    /** The measured cost of preparing a bit-parallel table, relative to the cost of a column of that table. */
    private static final int COLUMNS_BEFORE = 16;

    private FewEdits() {}

    /** Whether this algorithm is the fastest one for these texts and this limit. */
    static boolean pays(Text a, Text b, int max) {
        if (!a.isAscii() || !b.isAscii() || Math.max(max, Math.max(a.length(), b.length())) > LONGEST) {
            return false;
        }
        long steps = (max + 1L) * (max + 1L);
        return steps * COLUMNS_OF_A_STEP <= Math.min(a.length(), b.length()) + COLUMNS_BEFORE;
    }

    /** Returns the distance, or -1 if it exceeds {@code max}, which must not be negative. */
    static int distance(byte[] a, byte[] b, int max) {
        int last = b.length - a.length;
        if (Math.abs(last) > max) {
            return -1;
        }
        // f(k, e) is at index k + middle, between two entries that are never reached
        int middle = max + 1;
        int[] furthest = new int[2 * max + 3];
        Arrays.fill(furthest, NONE);
        furthest[middle] = slide(a, b, 0, 0);
        for (int edits = 0; ; edits++) {
            if (furthest[middle + last] == a.length) {
                return edits;
            }
            if (edits == max) {
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
                row = Math.min(row, Math.min(a.length, b.length - k));
                furthest[middle + k] = row < 0 ? NONE : slide(a, b, row, row + k);
                left = here;
            }
        }
    }

    private static int slide(byte[] a, byte[] b, int from, int column) {
        int row = from;
        int shift = column - from;
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
