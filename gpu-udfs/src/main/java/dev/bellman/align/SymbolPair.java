package dev.bellman.align;

import java.util.Arrays;

/**
 * Two strings as arrays of symbols, in memory that a thread uses again for its next pair. A symbol stands for a code point:
 * equal symbols are equal code points. Symbols are small multiples of {@link #STRIDE}, so that one may be the place in a
 * table of bit vectors. If all code points are below {@value #DIRECT}, symbols are these themselves; otherwise the code points of
 * {@code a} are numbered from 1 as they occur, by a hash table of the size of {@code a}, and those that only {@code b} has are
 * all 0. So no pair pays for the size of an alphabet.
 */
public final class SymbolPair implements AutoCloseable {
    /** What lies between two symbols: a power of two, at least the words of {@code BitRecurrence.MAX_WORDS_ALONE}. */
    public static final int STRIDE = 4;

    /** Below are the Latin, Greek, Cyrillic, Hebrew and Arabic scripts: all that UTF-8 writes in at most two bytes. */
    private static final int DIRECT = 2048;
    /** Strings up to this length leave their memory, some megabytes at most, with the thread. */
    private static final int RETAINED = 1 << 16;

    private static final int RETAINED_HISTORY = 1 << 17;

    private static final ThreadLocal<SymbolPair> LOCAL = ThreadLocal.withInitial(SymbolPair::new);

    private boolean open;
    private char[] aCharacters = {};
    private char[] bCharacters = {};
    private int[] a = {};
    private int[] b = {};
    private int[] aCodePoints = {};
    private int[] bCodePoints = {};
    private int[] keys = {};
    private int[] values = {};
    private long[] matches = new long[DIRECT * STRIDE];
    private long[] vertical = {};
    private long[] horizontal = {};
    private long[] history = {};
    private int aLength;
    private int bLength;
    private int suffix;
    private boolean mapped;

    private SymbolPair() {}

    /** All symbols but the longest common prefix and suffix, which change neither a distance nor the rest's optimum. */
    public static SymbolPair core(String a, String b) {
        return open(a, b, true);
    }

    /**
     * All symbols but the longest common suffix. A canonical backtrace begins at the end and takes the diagonal wherever it is
     * optimal, which on equal symbols it always is; so it passes the suffix first and on the diagonal, and what follows is the
     * backtrace of the rest. A common prefix must stay: the backtrace of {@code aab} and {@code ab} removes the first
     * {@code a}, that of {@code ab} and {@code b} behind the common {@code a} the second.
     */
    public static SymbolPair withoutSuffix(String a, String b) {
        return open(a, b, false);
    }

    private static SymbolPair open(String a, String b, boolean stripPrefix) {
        SymbolPair pair = LOCAL.get();
        if (pair.open) {
            // a call that failed left it behind
            pair = new SymbolPair();
            LOCAL.set(pair);
        }
        pair.open = true;
        pair.read(a, b, stripPrefix);
        return pair;
    }

    public int[] a() {
        return a;
    }

    public int[] b() {
        return b;
    }

    public int aLength() {
        return aLength;
    }

    public int bLength() {
        return bLength;
    }

    /** The UTF-16 units of the common suffix that was left out. */
    public int suffix() {
        return suffix;
    }

    public int codePointOfA(int i) {
        return mapped ? aCodePoints[i] : a[i] / STRIDE;
    }

    public int codePointOfB(int j) {
        return mapped ? bCodePoints[j] : b[j] / STRIDE;
    }

    /** A table of {@link #STRIDE} words for each symbol, all 0; whoever writes to it clears what it wrote. */
    public long[] matches() {
        return matches;
    }

    public long[] vertical(int length) {
        vertical = room(vertical, length);
        return vertical;
    }

    public long[] horizontal(int length) {
        horizontal = room(horizontal, length);
        return horizontal;
    }

    public long[] history(int length) {
        history = room(history, length);
        return history;
    }

    /** Gives the memory back to the thread. */
    @Override
    public void close() {
        if (aCharacters.length > RETAINED || bCharacters.length > RETAINED || history.length > RETAINED_HISTORY) {
            LOCAL.remove();
        }
        open = false;
    }

    private void read(String aText, String bText, boolean stripPrefix) {
        int aUnits = aText.length();
        int bUnits = bText.length();
        aCharacters = room(aCharacters, aUnits);
        bCharacters = room(bCharacters, bUnits);
        aText.getChars(0, aUnits, aCharacters, 0);
        bText.getChars(0, bUnits, bCharacters, 0);

        int shorter = Math.min(aUnits, bUnits);
        int prefix = 0;
        if (stripPrefix) {
            int mismatch = Arrays.mismatch(aCharacters, 0, shorter, bCharacters, 0, shorter);
            prefix = mismatch < 0 ? shorter : mismatch;
            if (prefix > 0 && Character.isHighSurrogate(aCharacters[prefix - 1])) {
                prefix--;
            }
        }
        suffix = 0;
        while (suffix < shorter - prefix && aCharacters[aUnits - 1 - suffix] == bCharacters[bUnits - 1 - suffix]) {
            suffix++;
        }
        if (suffix > 0 && Character.isLowSurrogate(aCharacters[aUnits - suffix])) {
            suffix--;
        }

        aLength = aUnits - suffix - prefix;
        bLength = bUnits - suffix - prefix;
        a = room(a, aLength);
        b = room(b, bLength);
        int widest = widen(aCharacters, prefix, aLength, a) | widen(bCharacters, prefix, bLength, b);
        mapped = widest >= DIRECT;
        if (mapped) {
            map(prefix);
        }
    }

    private static int widen(char[] characters, int from, int length, int[] symbols) {
        int widest = 0;
        for (int i = 0; i < length; i++) {
            int character = characters[from + i];
            widest |= character;
            symbols[i] = character * STRIDE;
        }
        return widest;
    }

    private void map(int prefix) {
        aCodePoints = room(aCodePoints, aLength);
        bCodePoints = room(bCodePoints, bLength);
        aLength = codePoints(aCharacters, prefix, aLength, aCodePoints);
        bLength = codePoints(bCharacters, prefix, bLength, bCodePoints);

        // at most half full, so that a probe ends soon
        int capacity = Math.max(16, Integer.highestOneBit(Math.max(1, Math.min(aLength, 1 << 21))) * 4);
        keys = room(keys, capacity);
        values = room(values, capacity);
        Arrays.fill(keys, 0, capacity, -1);
        int symbols = 0;
        for (int i = 0; i < aLength; i++) {
            int slot = slot(aCodePoints[i], capacity);
            if (keys[slot] < 0) {
                keys[slot] = aCodePoints[i];
                values[slot] = ++symbols * STRIDE;
            }
            a[i] = values[slot];
        }
        for (int j = 0; j < bLength; j++) {
            int slot = slot(bCodePoints[j], capacity);
            b[j] = keys[slot] < 0 ? 0 : values[slot];
        }
        if (matches.length < (symbols + 1) * STRIDE) {
            matches = new long[(symbols + 1) * STRIDE];
        }
    }

    private int slot(int codePoint, int capacity) {
        int slot = (codePoint * 0x9E3779B1) >>> 8 & capacity - 1;
        while (keys[slot] >= 0 && keys[slot] != codePoint) {
            slot = slot + 1 & capacity - 1;
        }
        return slot;
    }

    private static int codePoints(char[] characters, int from, int length, int[] codePoints) {
        int count = 0;
        int end = from + length;
        for (int at = from; at < end; ) {
            int codePoint = Character.codePointAt(characters, at, end);
            codePoints[count++] = codePoint;
            at += Character.charCount(codePoint);
        }
        return count;
    }

    private static char[] room(char[] array, int length) {
        return array.length >= length ? array : new char[roomFor(length)];
    }

    private static int[] room(int[] array, int length) {
        return array.length >= length ? array : new int[roomFor(length)];
    }

    private static long[] room(long[] array, int length) {
        return array.length >= length ? array : new long[roomFor(length)];
    }

    /** Short arrays grow to powers of two, so that a thread soon has the ones it needs. */
    private static int roomFor(int length) {
        return length > RETAINED ? length : Math.max(256, Integer.highestOneBit(Math.max(1, length - 1)) * 2);
    }
}
