package dev.bellman.segment;

import static dev.bellman.segment.PrefixSums.lost;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Finds the nondecreasing series with the minimum weighted sum of squared deviations from a series: neighbouring blocks
 * whose means do not increase are merged (Ayer et al., An empirical distribution function for sampling with incomplete
 * information, 1955).
 */
public final class Isotonic {
    /** Both strategies use the same algorithm. */
    public enum Strategy {
        AUTO,
        SERIAL
    }

    /**
     * A precision at which rounding the quotient to a double gives the same result as rounding the exact quotient once.
     */
    private static final MathContext DIGITS = new MathContext(60);

    private final double[] sums;
    private final double[] sumLows;
    private final double[] weights;
    private final double[] weightLows;
    private final double[] means;
    private final int[] ends;
    private int blocks;

    private Isotonic(int count) {
        sums = new double[count];
        sumLows = new double[count];
        weights = new double[count];
        weightLows = new double[count];
        means = new double[count];
        ends = new int[count];
    }

    /** Returns the fitted values: each is the mean of its block, rounded once. */
    static double[] fit(double[] values, double[] given) {
        Isotonic fit = new Isotonic(values.length);
        for (int i = 0; i < values.length; i++) {
            double product = given[i] * values[i];
            fit.push(product, Math.fma(given[i], values[i], -product), given[i], values[i], i + 1);
            while (fit.blocks > 1 && fit.means[fit.blocks - 2] >= fit.means[fit.blocks - 1]) {
                fit.merge();
            }
        }
        double[] fitted = new double[values.length];
        for (int block = 0, i = 0; block < fit.blocks; block++) {
            double mean = fit.ends[block] - i == 1 ? values[i] : mean(values, given, i, fit.ends[block]);
            for (; i < fit.ends[block]; i++) {
                fitted[i] = mean;
            }
        }
        return fitted;
    }

    private void push(double sum, double sumLow, double weight, double mean, int end) {
        sums[blocks] = sum;
        sumLows[blocks] = sumLow;
        weights[blocks] = weight;
        means[blocks] = mean;
        ends[blocks] = end;
        weightLows[blocks] = 0;
        blocks++;
    }

    /** Merges the last two blocks. */
    private void merge() {
        blocks--;
        int into = blocks - 1;
        ends[into] = ends[blocks];
        double sum = sums[into] + sums[blocks];
        double sumLow = lost(sums[into], sums[blocks], sum) + (sumLows[into] + sumLows[blocks]);
        sums[into] = sum + sumLow;
        sumLows[into] = lost(sum, sumLow, sums[into]);
        double weight = weights[into] + weights[blocks];
        double weightLow = lost(weights[into], weights[blocks], weight) + (weightLows[into] + weightLows[blocks]);
        weights[into] = weight + weightLow;
        weightLows[into] = lost(weight, weightLow, weights[into]);
        means[into] = Pairs.quotient(sums[into], sumLows[into], weights[into], weightLows[into]);
    }

    /** Returns the weighted mean of a block, rounded once. */
    private static double mean(double[] values, double[] given, int from, int to) {
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal weight = BigDecimal.ZERO;
        for (int i = from; i < to; i++) {
            BigDecimal own = new BigDecimal(given[i]);
            sum = sum.add(own.multiply(new BigDecimal(values[i])));
            weight = weight.add(own);
        }
        return sum.divide(weight, DIGITS).doubleValue();
    }
}
