package dev.bellman.segment;

/** Stores the prefix sums of a series as pairs of doubles: a sum and its rounding error. */
final class PrefixSums {
    final double[] high;
    final double[] low;

    private PrefixSums(int terms) {
        high = new double[terms + 1];
        low = new double[terms + 1];
    }

    static PrefixSums of(double... values) {
        PrefixSums sums = new PrefixSums(values.length);
        for (int i = 0; i < values.length; i++) {
            sums.append(i, values[i], 0);
        }
        return sums;
    }

    static PrefixSums ofSquares(double... values) {
        return ofProducts(values, values);
    }

    /** Returns prefix sums of the values times their weights. */
    static PrefixSums ofProducts(double[] values, double[] weights) {
        PrefixSums sums = new PrefixSums(values.length);
        for (int i = 0; i < values.length; i++) {
            double product = weights[i] * values[i];
            sums.append(i, product, Math.fma(weights[i], values[i], -product));
        }
        return sums;
    }

    /** Returns prefix sums of the squared values times their weights. */
    static PrefixSums ofSquares(double[] values, double[] weights) {
        PrefixSums sums = new PrefixSums(values.length);
        for (int i = 0; i < values.length; i++) {
            double square = values[i] * values[i];
            double product = weights[i] * square;
            double rest = Math.fma(values[i], values[i], -square);
            sums.append(i, product, Math.fma(weights[i], square, -product) + weights[i] * rest);
        }
        return sums;
    }

    private void append(int i, double value, double rest) {
        double sum = high[i] + value;
        double lost = lost(high[i], value, sum) + (low[i] + rest);
        high[i + 1] = sum + lost;
        low[i + 1] = lost - (high[i + 1] - sum);
    }

    /** Returns the exact rounding error of a sum {@code a + b} (Knuth, The Art of Computer Programming, 4.2.2). */
    static double lost(double a, double b, double sum) {
        double second = sum - a;
        return (a - (sum - second)) + (b - second);
    }

    /** Returns the sum of the terms from {@code from} (inclusive) to {@code to} (exclusive), rounded once. */
    double between(int from, int to) {
        return high[to] - high[from] + restBetween(from, to);
    }

    /** Returns the difference between a sum of terms and the difference of the high parts of two prefix sums. */
    double restBetween(int from, int to) {
        return lost(high[to], -high[from], high[to] - high[from]) + (low[to] - low[from]);
    }

    double lostBetween(int from, int to) {
        double sum = high[to] - high[from];
        double rest = restBetween(from, to);
        return lost(sum, rest, sum + rest);
    }
}
