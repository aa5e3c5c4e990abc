package dev.bellman.align.bits;

import static dev.bellman.align.SymbolPair.STRIDE;

import dev.bellman.align.Text;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Computes the edit distance of two short ASCII strings, like {@link EditDistanceBits}, but directly from the bytes,
 * eight of which are compared at a time.
 */
public final class AsciiDistance {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;

    private static final int CHARACTERS = 128;

    private static final int MOST_ROWS = Long.SIZE * BitRecurrence.MAX_WORDS_ALONE;

    /** The maximum length of strings. */
    private static final int MOST = 1024;

    /** The number of different characters from which on it is faster to process the characters one by one. */
    private static final int MANY = 6;

    private static final ThreadLocal<AsciiDistance> LOCAL = ThreadLocal.withInitial(AsciiDistance::new);

    /** For each character, {@link dev.bellman.align.SymbolPair#STRIDE} words with the rows that contain it. */
    private final long[] matches = new long[CHARACTERS * STRIDE];

    private MiddleColumn middle = new MiddleColumn();
    private final byte[] found = new byte[MANY];
    /** The characters of a word's rows. */
    private final long[] eights = new long[Long.BYTES];

    /** Whether {@link #matches} may contain rows. */
    private boolean isUsed;

    private AsciiDistance() {}

    /** Whether {@link #of} supports two strings. */
    public static boolean supports(Text a, Text b) {
        return Math.min(a.bytes().length, b.bytes().length) <= MOST_ROWS
                && Math.max(a.bytes().length, b.bytes().length) <= MOST
                && a.isAscii()
                && b.isAscii();
    }

    /** Returns the distance if it is at most {@code max}, otherwise a larger number. */
    public static int of(Text a, Text b, int max) {
        byte[] rows = a.bytes();
        byte[] columns = b.bytes();
        int shorter = Math.min(rows.length, columns.length);
        int mismatch = Arrays.mismatch(rows, 0, shorter, columns, 0, shorter);
        int begin = mismatch < 0 ? shorter : mismatch;
        int suffix = 0;
        while (suffix < shorter - begin && rows[rows.length - 1 - suffix] == columns[columns.length - 1 - suffix]) {
            suffix++;
        }
        int n = rows.length - suffix - begin;
        int m = columns.length - suffix - begin;
        if (n == 0 || m == 0 || Math.abs(n - m) > max) {
            return Math.max(n, m);
        }
        // the problem is symmetric, so the rows are the string for which fewer words must be computed
        boolean swaps = n > MOST_ROWS || m <= MOST_ROWS && (m + 63 >>> 6) * n < (n + 63 >>> 6) * m;
        AsciiDistance local = LOCAL.get();
        return swaps ? local.of(columns, rows, begin, m, n, max) : local.of(rows, columns, begin, n, m, max);
    }

    private int of(byte[] rows, byte[] columns, int begin, int n, int m, int max) {
        if (isUsed) {
            // an error ended the previous call
            Arrays.fill(matches, 0);
            middle = new MiddleColumn();
        }
        isUsed = true;
        int distance = n <= Long.SIZE ? ofWord(rows, columns, begin, n, m) : ofWords(rows, columns, begin, n, m, max);
        isUsed = false;
        return distance;
    }

    private int ofWord(byte[] rows, byte[] columns, int begin, int n, int m) {
        for (int i = 0; i < n; i++) {
            matches[rows[begin + i] * STRIDE] |= 1L << i;
        }
        int distance = EditDistanceLoops.ascii(1, matches, columns, begin, m, -1L >>> -n, 0, 0);
        for (int i = 0; i < n; i++) {
            matches[rows[begin + i] * STRIDE] = 0;
        }
        return distance;
    }

    private int ofWords(byte[] rows, byte[] columns, int begin, int n, int m, int max) {
        int characters = match(rows, begin, n);
        boolean isMiddle = characters < MANY && middle.isNext(n, m);
        int distance = isMiddle ? ofMiddle(columns, begin, n, m, characters) : MiddleColumn.UNKNOWN;
        if (distance == MiddleColumn.UNKNOWN) {
            int words = n + 63 >>> 6;
            // replacing the characters that differ is one way to turn one string into the other
            int most = Math.min(max, different(rows, columns, begin, Math.min(n, m)) + Math.abs(n - m));
            int lastBegin = EditDistanceBits.lastBegin(words, n, m, most);
            int firstEnd = Math.max(lastBegin, EditDistanceBits.firstEnd(n, m, most));
            distance = EditDistanceLoops.ascii(words, matches, columns, begin, m, -1L >>> -n, lastBegin, firstEnd);
        }
        unmatch(rows, begin, n, characters);
        return distance;
    }

    private int ofMiddle(byte[] columns, int begin, int n, int m, int characters) {
        for (int c = 0; c < characters; c++) {
            middle.match(found[c], matches, STRIDE * found[c], n);
        }
        int distance = middle.distance(columns, begin, n, m);
        for (int c = 0; c < characters; c++) {
            middle.unmatch(found[c]);
        }
        return distance;
    }

    /** Returns the number of positions with different characters. */
    private static int different(byte[] a, byte[] b, int begin, int length) {
        int count = 0;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            long difference = (long) LONGS.get(a, begin + i) ^ (long) LONGS.get(b, begin + i);
            count += Long.bitCount(difference + LOW_BITS & ~LOW_BITS);
        }
        for (; i < length; i++) {
            count += a[begin + i] == b[begin + i] ? 0 : 1;
        }
        return count;
    }

    /**
     * Sets the rows of each character. Returns the number of different characters, which {@link #found} contains, or
     * {@value #MANY} if there may be more.
     */
    private int match(byte[] rows, int begin, int n) {
        int characters = 0;
        for (int word = 0; word << 6 < n; word++) {
            int top = begin + (word << 6);
            int height = Math.min(Long.SIZE, begin + n - top);
            for (int i = 0; i < Long.BYTES; i++) {
                eights[i] = eight(rows, top + Long.BYTES * i, begin + n);
            }
            long left = -1L >>> -height;
            for (int c = 0; c < characters && left != 0; c++) {
                left &= ~match(found[c], word, left);
            }
            while (left != 0 && characters < MANY) {
                byte character = rows[top + Long.numberOfTrailingZeros(left)];
                found[characters++] = character;
                left &= ~match(character, word, left);
            }
            for (; left != 0; left &= left - 1) {
                int row = Long.numberOfTrailingZeros(left);
                matches[rows[top + row] * STRIDE + word] |= 1L << row;
            }
        }
        return characters;
    }

    /** Returns the eight characters from {@code at} on, without those from {@code end} on. */
    private static long eight(byte[] rows, int at, int end) {
        return at + Long.BYTES <= end
                ? (long) LONGS.get(rows, at)
                : at < end ? (long) LONGS.get(rows, end - Long.BYTES) >>> Byte.SIZE * (at + Long.BYTES - end) : 0;
    }

    /** Sets the rows that contain a character, and returns them. */
    private long match(byte character, int word, long rows) {
        long eight = character * ONES;
        // bit i of byte k belongs to character k of eight i
        long equal = equal(eights[0] ^ eight) >>> 7
                | equal(eights[1] ^ eight) >>> 6
                | equal(eights[2] ^ eight) >>> 5
                | equal(eights[3] ^ eight) >>> 4
                | equal(eights[4] ^ eight) >>> 3
                | equal(eights[5] ^ eight) >>> 2
                | equal(eights[6] ^ eight) >>> 1
                | equal(eights[7] ^ eight);
        long set = transposed(equal) & rows;
        matches[character * STRIDE + word] = set;
        return set;
    }

    /** Returns a word whose highest bit of each byte is 1 if this byte of the difference is 0. */
    private static long equal(long difference) {
        return ~(difference + LOW_BITS) & ~LOW_BITS;
    }

    /** Exchanges bit i of byte k and bit k of byte i, for all i and k: Warren, "Hacker's Delight" (2013), 7-3. */
    private static long transposed(long bits) {
        long near = (bits ^ bits >>> 7) & 0x00aa00aa00aa00aaL;
        long pairs = bits ^ near ^ near << 7;
        long far = (pairs ^ pairs >>> 14) & 0x0000cccc0000ccccL;
        long quads = pairs ^ far ^ far << 14;
        long farther = (quads ^ quads >>> 28) & 0x00000000f0f0f0f0L;
        return quads ^ farther ^ farther << 28;
    }

    private void unmatch(byte[] rows, int begin, int n, int characters) {
        for (int i = 0; characters == MANY && i < n; i++) {
            matches[rows[begin + i] * STRIDE + (i >>> 6)] = 0;
        }
        for (int c = 0; characters < MANY && c < characters; c++) {
            for (int word = 0; word < STRIDE; word++) {
                matches[found[c] * STRIDE + word] = 0;
            }
        }
    }
}
