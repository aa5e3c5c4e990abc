package dev.bellman.recurrence;

import dev.bellman.columns.Cancellation;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Computes number-theoretic transforms modulo a prime: the discrete Fourier transform after Pollard, "The fast Fourier
 * transform in a finite field" (1971). The result of the forward transform is in bit-reversed order, which the inverse
 * transform expects. Products use Montgomery's method (1985) with the radix 2^64.
 */
final class PrimeTransform {
    /**
     * Primes below 2^62 with roots of unity of order 2^30. The kernels in {@code recurrence/series.cu} use the same
     * primes.
     */
    static final List<PrimeTransform> ALL = List.of(
            new PrimeTransform(0x3fff_ffee_c000_0001L, 3),
            new PrimeTransform(0x3fff_ffee_0000_0001L, 3),
            new PrimeTransform(0x3fff_ffe8_8000_0001L, 11));

    /** The maximum number of values of a transform. */
    static final int MAX_SIZE = 1 << 30;

    private final long prime;
    /** The inverse of the prime modulo 2^64. */
    private final long inverse;
    /** 2^128 modulo the prime. Multiplication by this number converts a number to its Montgomery form. */
    private final long radixSquared;

    private final long generator;

    private PrimeTransform(long prime, long generator) {
        this.prime = prime;
        this.generator = generator;
        long x = prime;
        for (int bits = 3; bits < Long.SIZE; bits *= 2) {
            x *= 2 - prime * x;
        }
        inverse = x;
        long power = 1;
        for (int i = 0; i < 2 * Long.SIZE; i++) {
            power = power << 1 >= prime ? (power << 1) - prime : power << 1;
        }
        radixSquared = power;
    }

    long prime() {
        return prime;
    }

    /** Returns {@code a * b / 2^64} modulo the prime, for {@code a} and {@code b} less than the prime. */
    long montgomery(long a, long b) {
        long quotient = a * b * inverse;
        long multiple = Math.multiplyHigh(quotient, prime) + (quotient >> 63 & prime);
        long difference = Math.multiplyHigh(a, b) - multiple;
        return difference + (difference >> 63 & prime);
    }

    long multiply(long a, long b) {
        return montgomery(montgomery(a, radixSquared), b);
    }

    long subtract(long a, long b) {
        long difference = a - b;
        return difference + (difference >> 63 & prime);
    }

    private long add(long a, long b) {
        return subtract(a, prime - b);
    }

    /** Returns the residue of a number below 2^62. All primes are larger than half of 2^62. */
    long reduce(long number) {
        return number >= prime ? number - prime : number;
    }

    void reduce(long[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = reduce(numbers[i]);
        }
    }

    /** Returns the reciprocal of a number below 2^62 that is not a multiple of the prime. */
    long reciprocal(long number) {
        return power(reduce(number), prime - 2);
    }

    private long power(long base, long exponent) {
        long result = 1;
        for (long square = base; exponent != 0; exponent >>>= 1) {
            if ((exponent & 1) != 0) {
                result = multiply(result, square);
            }
            square = multiply(square, square);
        }
        return result;
    }

    /** Returns a root of unity of the given order, which is a power of two, in Montgomery form. */
    private long root(long order) {
        return montgomery(power(generator, (prime - 1) / order), radixSquared);
    }

    /** Returns {@link #root} for the orders 2, 4, 8 and so on, up to {@link #MAX_SIZE}. */
    LongStream orders() {
        return IntStream.rangeClosed(1, Integer.numberOfTrailingZeros(MAX_SIZE)).mapToLong(i -> root(1L << i));
    }

    /**
     * Returns the factor that cancels both the factor {@code size} of an inverse transform and the factor 2^-64 of a
     * product.
     */
    long scale(int size) {
        return montgomery(montgomery(reciprocal(size), radixSquared), radixSquared);
    }

    /**
     * Returns the roots in Montgomery form for transforms of up to {@code size} values, a power of two: for each power
     * of two h, the first h powers of the root of order 2h, starting at index h.
     */
    long[] roots(int size) {
        long[] roots = new long[size];
        for (int half = 1; half < size; half *= 2) {
            Cancellation.check();
            long root = root(2L * half);
            long next = montgomery(1, radixSquared);
            for (int j = 0; j < half; j++) {
                roots[half + j] = next;
                next = montgomery(next, root);
            }
        }
        return roots;
    }

    /**
     * Transforms {@code values} in place. All values must be less than the prime, and the number of values must be a
     * power of two up to 2^30.
     *
     * @param root {@link #roots} for at least this many values
     */
    void forward(long[] values, long[] root) {
        for (int half = values.length / 2; half > 0; half /= 2) {
            Cancellation.check();
            for (int from = 0; from < values.length; from += 2 * half) {
                for (int j = 0; j < half; j++) {
                    long a = values[from + j];
                    long b = values[from + half + j];
                    values[from + j] = add(a, b);
                    values[from + half + j] = montgomery(subtract(a, b), root[half + j]);
                }
            }
        }
    }

    /** Inverts {@link #forward} in place, for results of {@link #multiply(long[], long[])}. */
    void inverse(long[] values, long[] root) {
        for (int half = 1; half < values.length; half *= 2) {
            Cancellation.check();
            for (int from = 0; from < values.length; from += 2 * half) {
                long a = values[from];
                long b = values[from + half];
                values[from] = add(a, b);
                values[from + half] = subtract(a, b);
                for (int j = 1; j < half; j++) {
                    a = values[from + j];
                    // the inverse of power j is the negative of power half - j
                    b = montgomery(values[from + half + j], root[2 * half - j]);
                    values[from + j] = subtract(a, b);
                    values[from + half + j] = add(a, b);
                }
            }
        }
        long scale = scale(values.length);
        for (int i = 0; i < values.length; i++) {
            values[i] = montgomery(values[i], scale);
        }
    }

    /** Multiplies the first transform by the second and divides the products by 2^64, as {@link #inverse} expects. */
    void multiply(long[] values, long[] others) {
        for (int i = 0; i < values.length; i++) {
            values[i] = montgomery(values[i], others[i]);
        }
    }
}
