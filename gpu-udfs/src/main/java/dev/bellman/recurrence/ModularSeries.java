package dev.bellman.recurrence;

import dev.bellman.recurrence.instance.Instance;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/**
 * Computes the table for a sum modulo a number, as a quotient of power series. Let {@code A(x)} be the sum of {@code
 * x^a} over the offsets. The computed elements are the coefficients of {@code N(x) / (1 - A(x))}, where the
 * coefficients of {@code N} are the contributions of the initial values to each element. Newton's iteration finds the
 * inverse of {@code 1 - A} and doubles the number of its terms in each step, after Kung, "On computing reciprocals of
 * power series" (1974). The last step computes the quotient itself, after Karp and Markstein, "High-precision division
 * and square root" (1997). Products of series are exact: they use transforms modulo three primes and the Chinese
 * remainder theorem.
 */
final class ModularSeries {
    /** The maximum number of elements of a table, which the size of the transforms limits. */
    static final int MAX_ELEMENTS = PrimeTransform.MAX_SIZE / 2;

    /**
     * The number of bytes per element, for the roots, the series, and three transforms of each of three series (two
     * factors and the inverse), all with up to two values per element.
     */
    static final int BYTES_OF_AN_ELEMENT = 250;

    private static final PrimeTransform FIRST = PrimeTransform.ALL.get(0);
    private static final PrimeTransform SECOND = PrimeTransform.ALL.get(1);
    private static final PrimeTransform THIRD = PrimeTransform.ALL.get(2);
    private static final long FIRST_IN_SECOND = SECOND.reciprocal(FIRST.prime());
    private static final long FIRST_IN_THIRD = THIRD.reciprocal(FIRST.prime());
    private static final long SECOND_IN_THIRD = THIRD.reciprocal(SECOND.prime());

    private final Instance instance;
    private final int[] offsets;
    private final int farthest;
    private final Modulus modulus;
    /**
     * The roots for each prime, for the largest transform. The roots take up to twice the length of the table, so they
     * are stored only while the table is computed.
     */
    private final List<long[]> roots;

    ModularSeries(Instance instance) {
        this.instance = instance;
        offsets = instance.offsets();
        farthest = offsets[0];
        modulus = Modulus.of(instance.operator().modulus());
        int missing = instance.length() - instance.start();
        int largest = Math.max(size(missing), numeratorSize(farthest, missing));
        roots = PrimeTransform.ALL.stream().map(prime -> prime.roots(largest)).toList();
    }

    long[] table() {
        long[] table = instance.table();
        int missing = table.length - instance.start();
        long[] numerator = numerator(table, missing);
        int size = size(missing);
        int half = size / 2;
        long[][] inverse = transform(inverse(half), size);

        long[] low = product(transform(Arrays.copyOf(numerator, Math.min(half, missing)), size), inverse);
        long[] given = product(transform(denominator(size), size), transform(Arrays.copyOf(low, half), size));
        long[] rest = new long[half];
        for (int i = half; i < size; i++) {
            rest[i - half] = modulus.difference(i < missing ? numerator[i] : 0, given[i]);
        }
        long[] high = product(transform(rest, size), inverse);
        System.arraycopy(low, 0, table, instance.start(), Math.min(half, missing));
        System.arraycopy(high, 0, table, instance.start() + Math.min(half, missing), missing - Math.min(half, missing));
        return table;
    }

    /** Returns the first terms of {@code 1 / (1 - A)}; their number must be a power of two. */
    private long[] inverse(int terms) {
        long[] inverse = new long[terms];
        inverse[0] = modulus.one();
        // below the smallest offset, which is the last one, all terms of the inverse except the first are 0
        for (int known = Math.min(terms, Integer.highestOneBit(offsets[offsets.length - 1]));
                known < terms;
                known *= 2) {
            int size = 2 * known;
            long[][] found = transform(Arrays.copyOf(inverse, known), size);
            // a product that is longer than the transform wraps around into the known first half, which is not read
            long[] error = product(transform(denominator(size), size), found);
            long[] correction = product(transform(Arrays.copyOfRange(error, known, size), size), found);
            for (int i = 0; i < known; i++) {
                inverse[known + i] = modulus.difference(0, correction[i]);
            }
        }
        return inverse;
    }

    /** Returns the first terms of {@code 1 - A(x)}. */
    private long[] denominator(int terms) {
        long[] series = new long[terms];
        series[0] = modulus.one();
        for (int offset : offsets) {
            if (offset < terms) {
                series[offset] = modulus.value() - 1;
            }
        }
        return series;
    }

    /** Returns the contribution of the initial elements to each missing element. */
    private long[] numerator(long[] table, int missing) {
        int start = instance.start();
        int terms = Math.min(missing, farthest);
        int size = numeratorSize(farthest, missing);
        long[] distances = new long[farthest + 1];
        for (int offset : offsets) {
            distances[offset] = modulus.one();
        }
        long[] given = Arrays.copyOfRange(table, start - farthest, start);
        long[] product = product(transform(distances, size), transform(given, size));
        return Arrays.copyOf(Arrays.copyOfRange(product, farthest, farthest + terms), missing);
    }

    /** Returns the size of the transforms for the given number of missing elements. */
    static int size(int missing) {
        return Math.max(2, powerOfTwo(missing));
    }

    /** Returns the size of the transforms in {@link #numerator}. */
    static int numeratorSize(int farthest, int missing) {
        return powerOfTwo(farthest + Math.min(missing, farthest));
    }

    private static int powerOfTwo(int least) {
        return least <= 1 ? 1 : Integer.highestOneBit(least - 1) << 1;
    }

    /** Pads a series with zeros to {@code size} terms, and transforms it modulo each prime. */
    private long[][] transform(long[] series, int size) {
        long[][] transforms = new long[roots.size()][];
        for (int i = 0; i < transforms.length; i++) {
            PrimeTransform prime = PrimeTransform.ALL.get(i);
            transforms[i] = Arrays.copyOf(series, size);
            prime.reduce(transforms[i]);
            prime.forward(transforms[i], roots.get(i));
        }
        return transforms;
    }

    /**
     * Returns the product of two transformed series, with coefficients reduced modulo {@link #modulus}. Overwrites the
     * first factor.
     */
    private long[] product(long[][] factor, long[][] other) {
        for (int i = 0; i < factor.length; i++) {
            PrimeTransform prime = PrimeTransform.ALL.get(i);
            prime.multiply(factor[i], other[i]);
            prime.inverse(factor[i], roots.get(i));
        }
        long[] first = factor[0];
        for (int i = 0; i < first.length; i++) {
            // Garner's algorithm (1959): the number is a + p * (b + q * c) for the primes p and q
            long a = first[i];
            long b = SECOND.multiply(SECOND.subtract(factor[1][i], SECOND.reduce(a)), FIRST_IN_SECOND);
            long c = THIRD.multiply(THIRD.subtract(factor[2][i], THIRD.reduce(a)), FIRST_IN_THIRD);
            c = THIRD.multiply(THIRD.subtract(c, THIRD.reduce(b)), SECOND_IN_THIRD);
            first[i] = modulus.number(a, b, c);
        }
        return first;
    }

    /**
     * The modulus of the products, from 1 to 2^62.
     *
     * @param second the factor of the second mixed-radix digit: the first of the three primes
     * @param third the factor of the third digit: the product of the first two primes
     */
    record Modulus(long value, Factor second, Factor third) {
        static Modulus of(long value) {
            BigInteger prime = BigInteger.valueOf(FIRST.prime());
            return new Modulus(
                    value,
                    Factor.of(prime, value),
                    Factor.of(prime.multiply(BigInteger.valueOf(SECOND.prime())), value));
        }

        long one() {
            return 1 % value;
        }

        long difference(long a, long b) {
            return a >= b ? a - b : a - b + value;
        }

        private long sum(long a, long b) {
            return difference(a, value - b);
        }

        /** Returns the number with the given mixed-radix digits, one for each prime. */
        private long number(long a, long b, long c) {
            return sum(a % value, sum(second.times(b, value), third.times(c, value)));
        }
    }

    /**
     * A factor that occurs in many products modulo a number, after Shoup's NTL.
     *
     * @param shifted {@code residue * 2^64 / modulus}, rounded down
     */
    record Factor(long residue, long shifted) {
        private static Factor of(BigInteger factor, long modulus) {
            BigInteger residue = factor.mod(BigInteger.valueOf(modulus));
            return new Factor(
                    residue.longValue(),
                    residue.shiftLeft(Long.SIZE)
                            .divide(BigInteger.valueOf(modulus))
                            .longValue());
        }

        /** Returns the product of this factor and a nonnegative number, modulo {@code modulus}. */
        private long times(long number, long modulus) {
            long quotient = Math.multiplyHigh(shifted, number) + (shifted >> 63 & number);
            long rest = residue * number - quotient * modulus;
            return Long.compareUnsigned(rest, modulus) >= 0 ? rest - modulus : rest;
        }
    }
}
