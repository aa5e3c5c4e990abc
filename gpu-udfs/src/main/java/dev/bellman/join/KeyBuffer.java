package dev.bellman.join;

/**
 * The keys of a slice of the hash space: the hashes whose highest {@code bits} bits are the slice's number. A key is a word: the high bits hold the
 * hash without those bits, as far as it fits; the low bits hold the number of the string and the kind of key.
 */
final class KeyBuffer {
    /** A string with some characters deleted. */
    static final int DELETION = 0;
    /** A segment of a string. */
    static final int SEGMENT = 1;
    /** A part of a string that may equal another's segment. */
    static final int PART = 2;

    private static final int KIND_BITS = 2;

    private final long mask;
    private long[] keys = {};
    private int size;
    private int limit;
    private boolean overflown;
    private int bits;
    private long slice;

    /** @param strings how many strings there are */
    KeyBuffer(int strings) {
        int low = KIND_BITS + 32 - Integer.numberOfLeadingZeros(Math.max(1, strings - 1));
        mask = (1L << low) - 1;
    }

    /** Empties the buffer for a slice. It takes up to {@code limit} keys. */
    void begin(int sliceBits, long sliceNumber, int atMost) {
        bits = sliceBits;
        slice = sliceNumber;
        limit = atMost;
        size = 0;
        overflown = false;
    }

    /** Adds a key if it is in the slice. */
    void add(long hash, int id, int kind) {
        long mixed = Hash.mix(hash);
        if (mixed >>> 1 >>> 63 - bits == slice) {
            if (size == keys.length && !grow()) {
                return;
            }
            keys[size++] = word(mixed) | (long) id << KIND_BITS | kind;
        }
    }

    private boolean grow() {
        if (size >= limit) {
            overflown = true;
            return false;
        }
        keys = java.util.Arrays.copyOf(keys, (int) Math.min(limit, Math.max(1 << 10, 2L * size)));
        return true;
    }

    /** The hash of a key without the slice's bits, placed as in a word. */
    long word(long mixed) {
        return mixed << bits & ~mask;
    }

    /** Whether a key belongs to the slice. */
    boolean has(long mixed) {
        return mixed >>> 1 >>> 63 - bits == slice;
    }

    /** Whether the slice has more keys than fit the buffer. */
    boolean isOverflown() {
        return overflown;
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
