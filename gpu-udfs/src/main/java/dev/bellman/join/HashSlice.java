package dev.bellman.join;

/**
 * A slice of the hash space. A key has two hashes: one of its first characters and one of all its characters. The first
 * {@link #BEGINNING_BITS} bits of a slice's number are from the first hash; the other bits are from the second hash.
 * Therefore, the keys of a slice have only a few different beginnings, and code that generates a string's keys can skip
 * all keys with other beginnings at once.
 *
 * @param bits the number of bits that identify the slice
 * @param number the values of these bits
 */
record HashSlice(int bits, long number) {
    /**
     * The number of hash bits that depend only on a key's first characters. Most slices need fewer bits. A larger
     * number would leave too few bits to distinguish keys with the same first characters.
     */
    static final int BEGINNING_BITS = 12;

    /**
     * An odd multiplier, so that the multiplication is a bijection. The multiplication makes the two hashes unrelated
     * even if a key consists of only its first characters.
     */
    private static final long SPREAD = 0xD6E8FEB86659FD93L;

    /** Whether keys may be in the slice if the mixed hash of their first characters is {@code hash}. */
    boolean hasBeginning(long hash) {
        int own = Math.min(bits, BEGINNING_BITS);
        return hash >>> 1 >>> 63 - own == number >>> bits - own;
    }

    /**
     * Whether a key with a matching beginning is in the slice; {@code hash} is the mixed hash of all its characters.
     */
    boolean hasKey(long hash) {
        int own = bits - BEGINNING_BITS;
        return own <= 0 || hash * SPREAD >>> 64 - own == (number & (1L << own) - 1);
    }

    /** Returns the bits that distinguish the keys of the slice, shifted to the highest positions. */
    long word(long hash) {
        return hash * SPREAD << Math.max(0, bits - BEGINNING_BITS);
    }

    HashSlice half(int which) {
        return new HashSlice(bits + 1, 2 * number + which);
    }
}
