package dev.bellman.join;

import java.util.Arrays;

/**
 * The keys of a slice of the hash space, or the strings that share a hot key. A key is a word whose high bits contain
 * as much of the hash as fits, without the slice's bits, and whose low bits contain the string number and the kind of
 * key.
 */
final class KeyBuffer {
    /** A string with some characters deleted. */
    static final int DELETION = 0;
    /** A segment of a string. */
    static final int SEGMENT = 1;
    /** A substring that may equal a segment of another string. */
    static final int PART = 2;

    private static final int KIND_BITS = 2;

    private static final int ALL_BUT_HOT = -1;

    private final long mask;
    private final HotKeys hot;
    private long[] keys = {};
    private int size;
    private int limit;
    private boolean overflown;
    private HashSlice slice;
    /** The hot key whose strings the buffer currently accepts, or {@link #ALL_BUT_HOT}. */
    private int only;

    /** The mixed hash of the first characters of the keys that are added next. */
    private long beginning;

    /** Whether the keys that are added next may be hot. */
    private boolean mayBeHot;

    /** @param strings the number of strings */
    KeyBuffer(int strings, HotKeys hot) {
        this.hot = hot;
        int low = KIND_BITS + 32 - Integer.numberOfLeadingZeros(Math.max(1, strings - 1));
        mask = (1L << low) - 1;
    }

    /** Empties the buffer, which then accepts up to {@code atMost} keys of a slice, except hot keys. */
    void begin(HashSlice of, int atMost) {
        begin(of, ALL_BUT_HOT, atMost);
    }

    /** Empties the buffer, which then accepts the strings that share a hot key. */
    void begin(int hotKey) {
        begin(hot.slice(hotKey), hotKey, Integer.MAX_VALUE - 8);
    }

    private void begin(HashSlice of, int hotKey, int atMost) {
        slice = of;
        only = hotKey;
        limit = atMost;
        size = 0;
        overflown = false;
    }

    /**
     * Whether the buffer may accept keys with the given first characters; {@code hash} is their mixed hash. If so, all
     * keys that are added until the next call must begin with these characters.
     */
    boolean hasBeginning(long hash) {
        if (!slice.hasBeginning(hash)) {
            return false;
        }
        beginning = hash;
        mayBeHot = hot.hasBeginning(hash);
        return true;
    }

    /** Adds a key if the buffer accepts it; {@code hash} is mixed. */
    void add(long hash, int id, int kind) {
        if (slice.hasKey(hash) && (!mayBeHot || hot.find(beginning, hash) == only)) {
            if (size == keys.length && !grow()) {
                return;
            }
            keys[size++] = word(hash) | (long) id << KIND_BITS | kind;
        }
    }

    private boolean grow() {
        if (size >= limit) {
            overflown = true;
            return false;
        }
        keys = Arrays.copyOf(keys, (int) Math.min(limit, Math.max(1 << 10, 2L * size)));
        return true;
    }

    /** Returns the hash of a key without the slice's bits, at its position in a word. */
    long word(long hash) {
        return slice.word(hash) & ~mask;
    }

    /**
     * Whether the buffer accepts a key and the key's word is between {@code first} and {@code last}, inclusive.
     *
     * @param ofFirst the mixed hash of the key's first characters
     * @param hash the mixed hash of all of the key's characters
     */
    boolean has(long ofFirst, long hash, long first, long last) {
        return slice.hasBeginning(ofFirst)
                && slice.hasKey(hash)
                && hot.find(ofFirst, hash) == only
                && Long.compareUnsigned(word(hash), first) >= 0
                && Long.compareUnsigned(word(hash), last) <= 0;
    }

    /** Whether the slice has more keys than the buffer accepts. */
    boolean isOverflown() {
        return overflown;
    }

    /** Returns a mask of the bits of a word that do not belong to the hash. */
    long mask() {
        return mask;
    }

    long[] keys() {
        return keys;
    }

    int size() {
        return size;
    }

    long hash(long word) {
        return word & ~mask;
    }

    int id(long word) {
        return (int) ((word & mask) >>> KIND_BITS);
    }

    int kind(long word) {
        return (int) word & (1 << KIND_BITS) - 1;
    }
}
