package dev.bellman.series;

import dev.bellman.BellmanException;

/** Scales a series to mean 0 and standard deviation 1 in each dimension. */
public final class ZNormalization {
    /** Both strategies return the same values. */
    public enum Strategy {
        AUTO,
        SERIAL
    }

    private ZNormalization() {}

    /**
     * Replaces the values {@code x} with {@code (x - mean) / deviation}, or with zeros if all values are equal. The
     * mean is the sum of the values, added in order, divided by the number of values. The deviation is the square root
     * of the sum of {@code (x - mean) * (x - mean)} divided by the number of values; each product is added by a fused
     * multiply-add.
     */
    static void normalize(String function, Series series) {
        int n = series.length();
        double[] values = series.values();
        for (int k = 0; k < series.dimensions(); k++) {
            int from = k * n;
            double sum = 0;
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = from; i < from + n; i++) {
                sum += values[i];
                least = Math.min(least, values[i]);
                most = Math.max(most, values[i]);
            }
            double mean = sum / n;
            double squares = 0;
            for (int i = from; i < from + n; i++) {
                double d = values[i] - mean;
                squares = Math.fma(d, d, squares);
            }
            double deviation = Math.sqrt(squares / n);
            boolean equal = least == most;
            if (n > 0 && !equal && !(deviation > 0 && deviation <= Double.MAX_VALUE)) {
                throw BellmanException.inRow(
                        function,
                        "the variance of the series overflows, or underflows although values differ; scale the values");
            }
            for (int i = from; i < from + n; i++) {
                values[i] = equal ? 0 : (values[i] - mean) / deviation;
            }
        }
    }
}
