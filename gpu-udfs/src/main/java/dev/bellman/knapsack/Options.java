package dev.bellman.knapsack;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;

/**
 * Classes of options; a solution takes one option from each class. The options of class {@code k} have the indices from
 * {@code starts[k]} (inclusive) to {@code starts[k + 1]} (exclusive).
 *
 * @param weights at least 0; {@link #UNFIT} for an option that no solution takes
 * @param values at least 0; if {@code real} is true, the bits of doubles, which sort in the same order as the doubles
 */
record Options(int[] starts, long[] weights, long[] values, boolean real) {
    /** The weight of an option that never fits: more than any capacity. */
    static final long UNFIT = Long.MAX_VALUE;

    /** An equivalent problem with smaller numbers. */
    record Reduced(Options options, long capacity) {}

    int classes() {
        return starts.length - 1;
    }

    /** Returns a class for each item, with two options: without the item, and with it. */
    static Options ofItems(long[] weights, long[] values, boolean real) {
        int[] starts = new int[weights.length + 1];
        Arrays.setAll(starts, k -> 2 * k);
        long[] both = new long[2 * weights.length];
        long[] worth = new long[2 * weights.length];
        for (int k = 0; k < weights.length; k++) {
            both[2 * k + 1] = weights[k];
            worth[2 * k + 1] = values[k];
        }
        return new Options(starts, both, worth, real);
    }

    /**
     * Subtracts the weight of each class's lightest option from the weights of all its options and from the capacity,
     * and divides all weights by their greatest common divisor. Then each class has an option of weight 0, so the value
     * never decreases as the capacity grows. Options that do not fit become {@link #UNFIT}, and the capacity is at most
     * the weight of the heaviest choice.
     *
     * @throws BellmanException if the lightest options together are too heavy
     */
    Reduced reduced(String function, long capacity) {
        Cancellation cancellation = new Cancellation();
        long[] least = new long[classes()];
        long left = capacity;
        for (int k = 0; k < least.length; k++) {
            cancellation.count(starts[k + 1] - starts[k]);
            least[k] = weights[starts[k]];
            for (int o = starts[k] + 1; o < starts[k + 1]; o++) {
                least[k] = Math.min(least[k], weights[o]);
            }
            if (least[k] > left) {
                throw BellmanException.inRow(
                        function,
                        ("the lightest options of the first %,d classes weigh more than the capacity of %,d; one "
                                        + "option from each class must fit")
                                .formatted(k + 1, capacity));
            }
            left -= least[k];
        }
        long[] smaller = new long[weights.length];
        long divisor = 0;
        long heaviest = 0;
        for (int k = 0; k < least.length; k++) {
            // count more steps than options, because divisions are slow
            cancellation.count(64L * (starts[k + 1] - starts[k]));
            long most = 0;
            for (int o = starts[k]; o < starts[k + 1]; o++) {
                long weight = weights[o] - least[k];
                smaller[o] = weight > left ? UNFIT : weight;
                if (weight <= left) {
                    divisor = divisor(weight, divisor);
                    most = Math.max(most, weight);
                }
            }
            heaviest = heaviest > left - most ? left : heaviest + most;
        }
        for (int o = 0; o < smaller.length && divisor > 1; o++) {
            smaller[o] = smaller[o] == UNFIT ? UNFIT : smaller[o] / divisor;
        }
        return new Reduced(new Options(starts, smaller, values, real), heaviest / Math.max(1, divisor));
    }

    /** Returns the sum of two values, which must not overflow. */
    long sum(long one, long other) {
        return real ? realSum(one, other) : one + other;
    }

    /** Returns the bits of the sum of two doubles. */
    static long realSum(long one, long other) {
        return Double.doubleToRawLongBits(Double.longBitsToDouble(one) + Double.longBitsToDouble(other));
    }

    private static long divisor(long a, long b) {
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    /**
     * Whether the most valuable options of all classes are together worth at most {@code most}, without options that do
     * not fit in the capacity on their own.
     */
    boolean areWorthAtMost(long most, long capacity) {
        long left = most;
        for (int k = 0; k < classes(); k++) {
            long best = 0;
            for (int o = starts[k]; o < starts[k + 1]; o++) {
                best = weights[o] > capacity ? best : Math.max(best, values[o]);
            }
            if (best > left) {
                return false;
            }
            left -= best;
        }
        return true;
    }
}
