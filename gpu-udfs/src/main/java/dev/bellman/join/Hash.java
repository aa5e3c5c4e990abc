package dev.bellman.join;

import java.util.Arrays;

/**
 * Hashes strings by polynomials over their characters, modulo 2^64. Equal strings have equal hashes. Different strings
 * rarely have equal hashes, and verification rejects such candidates, so the result does not depend on the quality of
 * the hash.
 */
final class Hash {
    private static final long BASE = 0x9E3779B97F4A7C15L | 1;
    private static final long INVERSE = inverse(BASE);

    private static final long[] ASCII = new long[128];

    static {
        Arrays.setAll(ASCII, Hash::coefficient);
    }

    private Hash() {}

    /** Returns the coefficient of a character. The coefficients of neighbouring code points are unrelated. */
    static long character(int character) {
        return character >= 0 && character < ASCII.length ? ASCII[character] : coefficient(character);
    }

    private static long coefficient(int character) {
        return mix((character & 0xffff_ffffL) + 0x632BE59BD9B4E019L);
    }

    /** Returns {@code BASE^i} for all {@code i} below {@code count}. */
    static long[] powers(int count) {
        return powers(count, BASE);
    }

    /** Returns {@code BASE^-i} for all {@code i} below {@code count}. */
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

    /** Computes the inverse of an odd number by Newton's iteration; each step doubles the number of correct bits. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** Applies a bijection in which every output bit depends on every input bit (MurmurHash3's finalizer). */
    static long mix(long value) {
        long h = value ^ value >>> 33;
        h *= 0xff51afd7ed558ccdL;
        h ^= h >>> 33;
        h *= 0xc4ceb9fe1a85ec53L;
        return h ^ h >>> 33;
    }
}
