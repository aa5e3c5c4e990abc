package dev.bellman.markov;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Adds doubles without rounding errors, so that a result does not depend on the order of its summands.
 *
 * <p>Each sum is represented by several doubles, its levels, whose exact total is the sum. Adding a number to a double
 * has a rounding error that is also a double (D. E. Knuth, The Art of Computer Programming, volume 2, 4.2.2): each
 * level keeps the rounded sum and passes its error to the next level, until no error is left. If the last level has an
 * error, a level is added. Rounding is left to the end: {@link #rounded} returns the doubles that are closest to the
 * exact sums. Summands must be finite, and far from the largest double.
 */
public final class ExactSums implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The number of bits per word of a fixed-point number. */
    private static final int WORD_BITS = 32;

    private static final long LOW_BITS = (1L << WORD_BITS) - 1;
    /** The exponent of the smallest double. */
    private static final int MIN_EXPONENT = -1074;

    private double[][] levels;

    /** The remainders of the numbers being added, as they pass through the levels. */
    private transient double[] rest;

    public ExactSums(int count) {
        levels = new double[][] {new double[count]};
    }

    int size() {
        return levels[0].length;
    }

    /** Adds {@code numbers} to the sums from index {@code from}. */
    public void add(int from, double... numbers) {
        int count = numbers.length;
        if (rest == null || rest.length < count) {
            rest = new double[count];
        }
        System.arraycopy(numbers, 0, rest, 0, count);
        for (int level = 0; isAny(count); level++) {
            if (level == levels.length) {
                levels = Arrays.copyOf(levels, level + 1);
                levels[level] = new double[levels[0].length];
            }
            pass(levels[level], from, rest, count);
        }
    }

    private boolean isAny(int count) {
        for (int i = 0; i < count; i++) {
            if (rest[i] != 0) {
                return true;
            }
        }
        return false;
    }

    /** Adds numbers to a level, and replaces them with the rounding errors. */
    private static void pass(double[] level, int from, double[] numbers, int count) {
        for (int i = 0; i < count; i++) {
            double a = level[from + i];
            double b = numbers[i];
            double sum = a + b;
            double ofB = sum - a;
            numbers[i] = (a - (sum - ofB)) + (b - ofB);
            level[from + i] = sum;
        }
    }

    /** Adds other sums, and returns this object. */
    public ExactSums plus(ExactSums others) {
        for (double[] level : others.levels) {
            add(0, level);
        }
        return this;
    }

    /**
     * Adds a number in fixed point to each sum. The unit of word i of a number, counted from 0, is {@code 2^(32 i)}
     * times the smallest double. Words are signed, and have up to 64 bits.
     *
     * @param words first word 0 of all numbers, then word 1 of all numbers, and so on
     * @param first the index of the number for the first sum
     * @param all the number of numbers
     */
    void addFixedPoint(long[] words, int first, int all) {
        int count = size();
        double[] low = new double[count];
        double[] high = new double[count];
        for (int word = 0; word * all < words.length; word++) {
            int exponent = WORD_BITS * word + MIN_EXPONENT;
            for (int i = 0; i < count; i++) {
                long value = words[word * all + first + i];
                low[i] = Math.scalb((double) (value & LOW_BITS), exponent);
                high[i] = Math.scalb((double) (value >> WORD_BITS), exponent + WORD_BITS);
            }
            add(0, low);
            add(0, high);
        }
    }

    /** Returns the doubles closest to the sums; if two doubles are equally close, returns the even one. */
    public double[] rounded() {
        double[] sums = new double[levels[0].length];
        double[] terms = new double[levels.length];
        for (int i = 0; i < sums.length; i++) {
            for (int level = 0; level < levels.length; level++) {
                terms[level] = levels[level][i];
            }
            sums[i] = rounded(terms);
        }
        return sums;
    }

    /**
     * Returns the rounded sum of numbers, using the algorithm of Python's {@code math.fsum}. Turns the numbers into
     * doubles whose digits do not overlap, and adds these from the largest to the smallest until a sum has an error.
     * This error decides the rounding, except halfway between two doubles, where the sign of the next number decides.
     */
    private static double rounded(double... numbers) {
        int count = 0;
        double[] parts = new double[numbers.length];
        for (double number : numbers) {
            double x = number;
            int used = 0;
            for (int i = 0; i < count; i++) {
                double large = Math.abs(x) < Math.abs(parts[i]) ? parts[i] : x;
                double small = Math.abs(x) < Math.abs(parts[i]) ? x : parts[i];
                double sum = large + small;
                double error = small - (sum - large);
                if (error != 0) {
                    parts[used++] = error;
                }
                x = sum;
            }
            parts[used++] = x;
            count = used;
        }
        double sum = parts[--count];
        double error = 0;
        while (count > 0 && error == 0) {
            double part = parts[--count];
            double before = sum;
            sum = before + part;
            error = part - (sum - before);
        }
        if (count > 0 && Math.signum(error) * parts[count - 1] > 0) {
            double twice = 2 * error;
            double next = sum + twice;
            if (next - sum == twice) {
                return next;
            }
        }
        return sum;
    }
}
