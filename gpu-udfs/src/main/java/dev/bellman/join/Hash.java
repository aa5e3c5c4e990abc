package dev.bellman.join;

import java.util.Arrays;

/**
 * Polynomials over the characters of a string, modulo 2^64. Equal strings have equal hashes; different ones rarely do,
 * and verification rejects those candidates. So the answer does not depend on the quality of the hash.
 */
final class Hash {
    private static final long BASE = 0x9E3779B97F4A7C15L | 1;
    private static final long INVERSE = inverse(BASE);

    private static final long[] ASCII = new long[128];

    static {
        Arrays.setAll(ASCII, Hash::coefficient);
    }

    private Hash() {}

    /** The coefficient of a character; the coefficients of neighbouring code points are unrelated. */
    static long character(int character) {
        return character >= 0 && character < ASCII.length ? ASCII[character] : coefficient(character);
    }

    private static long coefficient(int character) {
        return mix((character & 0xffff_ffffL) + 0x632BE59BD9B4E019L);
    }

    /** {@code BASE^i} for all {@code i} below {@code count}. */
    static long[] powers(int count) {
        return powers(count, BASE);
    }

    /** {@code BASE^-i} for all {@code i} below {@code count}. */
    static long[] inversePowers(int count) {
        return powers(count, INVERSE);
    }

    private static long[] powers(int count, long base) {
        long[] powers = new long[count];
        long power = 1;
        for (int i = 0; i < count; i++) {
            powers[i] = power;
            power *= base;
        }
        return powers;
    }

    /** The inverse of an odd number, by Newton's iteration: each step doubles the number of correct bits. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** A bijection whose every bit depends on every bit (the finalizer of MurmurHash3). */
    static long mix(long value) {
        long h = value ^ value >>> 33;
        h *= 0xff51afd7ed558ccdL;
        h ^= h >>> 33;
        h *= 0xc4ceb9fe1a85ec53L;
        return h ^ h >>> 33;
    }
}
