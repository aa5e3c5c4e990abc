package dev.bellman.align.names;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Computes the similarity between two sets of q-grams. The q-grams of a string are all its substrings of {@code q}
 * characters, or the whole string if it is shorter.
 *
 * <p>A gram is represented by a 64-bit number that consists of its characters, each with the number of bits that the
 * largest character needs. If the characters do not fit, a number from a hash table replaces the first characters. A
 * second hash table counts the grams.
 */
public final class QGrams {
    /** Both strategies return the same similarity. */
    public enum Strategy {
        /** Stores grams as numbers in a hash table. */
        AUTO,
        /** Compares grams pair by pair, within each string and between both strings. */
        SERIAL
    }

    /** The formulas that compute a similarity between 0 and 1 from the numbers of q-grams. */
    public enum Coefficient {
        JACCARD {
            @Override
            double of(double common, double a, double b) {
                return common / (a + b - common);
            }
        },
        DICE {
            @Override
            double of(double common, double a, double b) {
                return 2 * common / (a + b);
            }
        },
        COSINE {
            @Override
            double of(double common, double a, double b) {
                return common / Math.sqrt(a * b);
            }
        };

        abstract double of(double common, double a, double b);
    }

    /** The number of bytes per gram, in the list and in two hash tables that are at most half full. */
    private static final long BYTES_OF_A_GRAM = Long.BYTES + 1 + 2 * 4 * (Long.BYTES + Integer.BYTES);

    private QGrams() {}

    /** Returns the similarity, which is 1 for two empty strings. */
    public static double similarity(int[] a, int[] b, int q, Coefficient coefficient, Strategy strategy) {
        if (a.length == 0 || b.length == 0) {
            return a.length == b.length ? 1 : 0;
        }
        if (a.length < q || b.length < q) {
            // if a string is shorter than q, its only gram is the whole string
            return Arrays.equals(a, b) ? 1 : 0;
        }
        return strategy == Strategy.SERIAL ? serial(a, b, q, coefficient) : numbered(a, b, q, coefficient);
    }

    private static double serial(int[] a, int[] b, int q, Coefficient coefficient) {
        Cancellation cancellation = new Cancellation();
        int aCount = 0;
        int common = 0;
        for (int i = 0; i <= a.length - q; i++) {
            if (!occurs(a, i, a, i, q, cancellation)) {
                aCount++;
                common += occurs(a, i, b, b.length - q + 1, q, cancellation) ? 1 : 0;
            }
        }
        int bCount = 0;
        for (int j = 0; j <= b.length - q; j++) {
            bCount += occurs(b, j, b, j, q, cancellation) ? 0 : 1;
        }
        return coefficient.of(common, aCount, bCount);
    }

    /** Whether the gram at {@code i} is among the first {@code count} grams of a string. */
    private static boolean occurs(int[] a, int i, int[] text, int count, int q, Cancellation cancellation) {
        for (int j = 0; j < count; j++) {
            cancellation.count(1);
            if (Arrays.equals(a, i, i + q, text, j, j + q)) {
                return true;
            }
        }
        return false;
    }

    private static double numbered(int[] a, int[] b, int q, Coefficient coefficient) {
        long[] grams = grams(a, b, q);
        int aPlaces = a.length - q + 1;
        Numbers numbers = new Numbers(grams.length);
        for (int i = 0; i < aPlaces; i++) {
            numbers.of(grams[i]);
        }
        int aCount = numbers.count();
        boolean[] ofB = new boolean[grams.length];
        int bCount = 0;
        int common = 0;
        for (int j = aPlaces; j < grams.length; j++) {
            int number = numbers.of(grams[j]);
            if (!ofB[number]) {
                ofB[number] = true;
                bCount++;
                common += number < aCount ? 1 : 0;
            }
        }
        return coefficient.of(common, aCount, bCount);
    }

    /**
     * Returns the numbers of the grams of {@code a}, followed by those of {@code b}. Two grams have the same number if
     * and only if they are equal.
     */
    private static long[] grams(int[] a, int[] b, int q) {
        int aCount = a.length - q + 1;
        int bCount = b.length - q + 1;
        TaskMemory.take(BYTES_OF_A_GRAM * (aCount + bCount), () -> "%,d grams".formatted(aCount + bCount));
        long[] grams = new long[aCount + bCount];
        int width = Math.max(1, Math.max(bits(a), bits(b)));
        int used = 0;
        for (int place = 0; place < q; place++) {
            if (used + width >= Long.SIZE) {
                used = number(grams);
            }
            for (int i = 0; i < aCount; i++) {
                grams[i] = grams[i] << width | Integer.toUnsignedLong(a[i + place]);
            }
            for (int j = 0; j < bCount; j++) {
                grams[aCount + j] = grams[aCount + j] << width | Integer.toUnsignedLong(b[j + place]);
            }
            used += width;
        }
        return grams;
    }

    /** Returns the number of bits that the largest character needs. */
    private static int bits(int[] text) {
        int all = 0;
        for (int character : text) {
            all |= character;
        }
        return Integer.SIZE - Integer.numberOfLeadingZeros(all);
    }

    /**
     * Replaces the current gram prefixes with numbers, starting at 0. Returns a number of bits in which each of these
     * numbers fits.
     */
    private static int number(long[] grams) {
        Numbers numbers = new Numbers(grams.length);
        for (int i = 0; i < grams.length; i++) {
            grams[i] = numbers.of(grams[i]);
        }
        return Integer.SIZE - Integer.numberOfLeadingZeros(numbers.count());
    }

    /** Numbers keys in order of appearance, starting at 0, with a hash table that is at most half full. */
    private static final class Numbers {
        private final long[] keys;
        private final int[] values;
        private final int shift;
        private final Cancellation cancellation = new Cancellation();
        private int count;

        Numbers(int most) {
            int bits = Math.max(4, Integer.SIZE - Integer.numberOfLeadingZeros(most) + 1);
            keys = new long[1 << bits];
            values = new int[1 << bits];
            shift = Long.SIZE - bits;
        }

        int count() {
            return count;
        }

        int of(long key) {
            cancellation.count(1);
            int slot = (int) (key * 0x9E3779B97F4A7C15L >>> shift);
            while (values[slot] != 0 && keys[slot] != key) {
                slot = slot + 1 & keys.length - 1;
            }
            if (values[slot] == 0) {
                keys[slot] = key;
                values[slot] = ++count;
            }
            return values[slot] - 1;
        }
    }
}
