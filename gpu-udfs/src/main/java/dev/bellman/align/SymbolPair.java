package dev.bellman.align;

import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Two strings or token sequences, stored as arrays of symbols in memory that a thread reuses for its next pair. A
 * symbol represents a character: a symbol of {@code a} equals a symbol of {@code b} exactly if the two characters are
 * equal. Symbols are small multiples of {@link #STRIDE}, so that they can index a table of bit vectors. If all
 * character numbers are below {@value #DIRECT}, the symbols are computed directly from these numbers. Otherwise, a hash
 * table whose size is proportional to the length of {@code a} numbers the characters of {@code a} in order of
 * occurrence, starting at 1. All characters that occur only in {@code b} have the number 0. Thus, the time for a pair
 * never depends on the size of the alphabet.
 */
public final class SymbolPair implements AutoCloseable {
    /** The difference between consecutive symbols: a power of two, at least {@code BitRecurrence.MAX_WORDS_ALONE}. */
    public static final int STRIDE = 4;

    /**
     * The first character number that needs a hash table. Smaller numbers are the characters that UTF-8 encodes in at
     * most two bytes, such as most Latin, Greek, Cyrillic, Hebrew and Arabic letters.
     */
    private static final int DIRECT = 2048;
    /** The maximum length of strings for which the thread keeps the arrays, which then take at most a few megabytes. */
    private static final int RETAINED = 1 << 16;

    private static final int MAX_CODE_POINTS = 1 << 21;
    /**
     * An upper bound on the number of different characters: 5 * 2^24 characters with four bytes, and fewer than 2^21
     * shorter characters.
     */
    private static final int MAX_CHARACTERS = 1 << 27;

    private static final int RETAINED_HISTORY = 1 << 17;

    private static final ThreadLocal<SymbolPair> LOCAL = ThreadLocal.withInitial(SymbolPair::new);

    private boolean open;
    /** The number of bytes that this pair reserved for large arrays. */
    private long taken;

    private int[] a = {};
    private int[] b = {};
    /** The character numbers of {@code a} and {@code b}; not used if both strings are ASCII. */
    private int[] aCharacters;

    private int[] bCharacters;
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
    /**
     * The number of characters in the common prefix, which {@link #a} and {@link #b} omit; not used if both strings are
     * ASCII.
     */
    private int before;

    private SymbolPair() {}

    /** Returns all symbols of two strings. */
    public static SymbolPair whole(Text a, Text b) {
        return open(a, b, false, false);
    }

    /**
     * Returns the symbols of both strings without their longest common prefix and suffix. The shortened strings have
     * the same edit distance, and their optimal alignments remain optimal if the prefix and suffix are added.
     */
    public static SymbolPair core(Text a, Text b) {
        return open(a, b, true, true);
    }

    /**
     * Like {@link #whole(Text, Text)}, but for token numbers, or for characters given as the numbers of {@link Text}.
     */
    public static SymbolPair whole(int[] a, int[] b) {
        return open(a, b, false, false);
    }

    /**
     * Like {@link #core(Text, Text)}, but for token numbers, or for characters given as the numbers of {@link Text}.
     */
    public static SymbolPair core(int[] a, int[] b) {
        return open(a, b, true, true);
    }

    /**
     * Like {@link #withoutSuffix(Text, Text)}, but for tokens that are given as numbers, as {@link Tokens} defines
     * them.
     */
    public static SymbolPair withoutSuffix(int[] a, int[] b) {
        return open(a, b, false, true);
    }

    /**
     * Returns the symbols of both strings without their longest common suffix. A canonical backtrace begins at the end
     * and takes the diagonal whenever that is optimal, which is always the case for equal symbols. It therefore first
     * crosses the suffix on the diagonal, and then follows the backtrace of the rest. A common prefix must not be
     * omitted: the backtrace of {@code aab} and {@code ab} removes the first {@code a}, whereas the backtrace of
     * {@code ab} and {@code b}, after the common {@code a}, removes the second.
     */
    public static SymbolPair withoutSuffix(Text a, Text b) {
        return open(a, b, false, true);
    }

    private static SymbolPair open(Text a, Text b, boolean stripPrefix, boolean stripSuffix) {
        SymbolPair pair = ofThread();
        try {
            pair.read(a, b, stripPrefix, stripSuffix);
        } catch (RuntimeException | Error e) {
            LOCAL.remove();
            throw e;
        }
        return pair;
    }

    private static SymbolPair open(int[] a, int[] b, boolean stripPrefix, boolean stripSuffix) {
        SymbolPair pair = ofThread();
        try {
            pair.readCharacters(a, a.length, b, b.length, stripPrefix, stripSuffix);
        } catch (RuntimeException | Error e) {
            LOCAL.remove();
            throw e;
        }
        return pair;
    }

    private static SymbolPair ofThread() {
        SymbolPair pair = LOCAL.get();
        if (pair.open) {
            // the previous call on this thread failed before it closed its pair
            pair = new SymbolPair();
            LOCAL.set(pair);
        }
        pair.open = true;
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

    /** Returns the number of bytes in the omitted common suffix of two strings; undefined for tokens. */
    public int suffix() {
        return suffix;
    }

    public int characterOfA(int i) {
        return mapped ? aCharacters[before + i] : a[i] / STRIDE;
    }

    public int characterOfB(int j) {
        return mapped ? bCharacters[before + j] : b[j] / STRIDE;
    }

    /** Returns a table with {@link #STRIDE} words per symbol, all 0. The caller must clear the words that it writes. */
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

    /** Ends the use of this pair. The thread reuses the memory for its next pair unless the arrays are large. */
    @Override
    public void close() {
        if (a.length > RETAINED || b.length > RETAINED || history.length > RETAINED_HISTORY) {
            LOCAL.remove();
        }
        aCharacters = null;
        bCharacters = null;
        TaskMemory.release(taken);
        taken = 0;
        open = false;
    }

    private void read(Text aText, Text bText, boolean stripPrefix, boolean stripSuffix) {
        if (aText.isAscii() && bText.isAscii()) {
            readAscii(aText.bytes(), bText.bytes(), stripPrefix, stripSuffix);
        } else {
            readCharacters(aText.decoded(), aText.length(), bText.decoded(), bText.length(), stripPrefix, stripSuffix);
        }
    }

    private void readAscii(byte[] aBytes, byte[] bBytes, boolean stripPrefix, boolean stripSuffix) {
        int shorter = Math.min(aBytes.length, bBytes.length);
        int prefix = 0;
        if (stripPrefix) {
            int mismatch = Arrays.mismatch(aBytes, 0, shorter, bBytes, 0, shorter);
            prefix = mismatch < 0 ? shorter : mismatch;
        }
        suffix = 0;
        while (stripSuffix
                && suffix < shorter - prefix
                && aBytes[aBytes.length - 1 - suffix] == bBytes[bBytes.length - 1 - suffix]) {
            suffix++;
        }
        aLength = aBytes.length - suffix - prefix;
        bLength = bBytes.length - suffix - prefix;
        a = room(a, aLength);
        b = room(b, bLength);
        widen(aBytes, prefix, aLength, a);
        widen(bBytes, prefix, bLength, b);
        mapped = false;
    }

    private static void widen(byte[] bytes, int from, int length, int[] symbols) {
        for (int i = 0; i < length; i++) {
            symbols[i] = bytes[from + i] * STRIDE;
        }
    }

    /**
     * Reads the characters. Compares prefixes and suffixes character by character, because a byte's meaning depends on
     * the bytes before it.
     */
    private void readCharacters(
            int[] aNumbers, int aCount, int[] bNumbers, int bCount, boolean stripPrefix, boolean stripSuffix) {
        aCharacters = aNumbers;
        bCharacters = bNumbers;
        int shorter = Math.min(aCount, bCount);
        before = 0;
        if (stripPrefix) {
            int mismatch = Arrays.mismatch(aCharacters, 0, shorter, bCharacters, 0, shorter);
            before = mismatch < 0 ? shorter : mismatch;
        }
        suffix = 0;
        int common = 0;
        while (stripSuffix
                && common < shorter - before
                && aCharacters[aCount - 1 - common] == bCharacters[bCount - 1 - common]) {
            suffix += Text.bytesOf(aCharacters[aCount - 1 - common]);
            common++;
        }
        aLength = aCount - common - before;
        bLength = bCount - common - before;
        a = room(a, aLength);
        b = room(b, bLength);
        int widest = widen(aCharacters, before, aLength, a) | widen(bCharacters, before, bLength, b);
        // an unsigned comparison, so that negative numbers also count as wide
        mapped = Integer.compareUnsigned(widest, DIRECT) >= 0;
        if (mapped) {
            map(Integer.compareUnsigned(widest, MAX_CODE_POINTS) < 0 ? MAX_CODE_POINTS : MAX_CHARACTERS);
        }
    }

    private static int widen(int[] characters, int from, int length, int[] symbols) {
        int widest = 0;
        for (int i = 0; i < length; i++) {
            int character = characters[from + i];
            widest |= character;
            symbols[i] = character * STRIDE;
        }
        return widest;
    }

    /** @param most a power of two that is an upper bound on the number of different characters */
    private void map(int most) {
        // a table that is at most half full keeps probes short
        int capacity =
                (int) Math.max(16, Math.min(Integer.highestOneBit(Math.max(1, Math.min(aLength, most))) * 4L, 1 << 30));
        keys = room(keys, capacity);
        values = room(values, capacity);
        Arrays.fill(values, 0, capacity, 0);
        int symbols = 0;
        for (int i = 0; i < aLength; i++) {
            int character = aCharacters[before + i];
            int slot = slot(character, capacity);
            if (values[slot] == 0) {
                keys[slot] = character;
                values[slot] = ++symbols * STRIDE;
            }
            a[i] = values[slot];
        }
        for (int j = 0; j < bLength; j++) {
            b[j] = values[slot(bCharacters[before + j], capacity)];
        }
        if (matches.length < (symbols + 1) * STRIDE) {
            take(Long.BYTES, (symbols + 1L) * STRIDE);
            matches = new long[(symbols + 1) * STRIDE];
        }
    }

    /** Returns the slot of a character or, if the character has no slot yet, a free slot, whose value is 0. */
    private int slot(int character, int capacity) {
        int slot = character * 0x9E3779B1 >>> Integer.numberOfLeadingZeros(capacity - 1);
        while (values[slot] != 0 && keys[slot] != character) {
            slot = slot + 1 & capacity - 1;
        }
        return slot;
    }

    private int[] room(int[] array, int length) {
        if (array.length >= length) {
            return array;
        }
        int room = roomFor(length);
        take(Integer.BYTES, room);
        return new int[room];
    }

    private long[] room(long[] array, int length) {
        if (array.length >= length) {
            return array;
        }
        int room = roomFor(length);
        take(Long.BYTES, room);
        return new long[room];
    }

    private void take(int each, long count) {
        if (count > RETAINED) {
            TaskMemory.take(each * count, () -> "a table for %,d by %,d characters, stored in an array of %,d numbers,"
                    .formatted(aLength, bLength, count));
            taken += each * count;
        }
    }

    /**
     * Returns the length to allocate. The lengths of short arrays are rounded up to powers of two, so that arrays
     * rarely need to grow.
     */
    private static int roomFor(int length) {
        return length > RETAINED ? length : Math.max(256, Integer.highestOneBit(Math.max(1, length - 1)) * 2);
    }
}
