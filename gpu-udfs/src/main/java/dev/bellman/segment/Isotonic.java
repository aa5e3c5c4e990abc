package dev.bellman.segment;

import static dev.bellman.segment.PrefixSums.lost;

import dev.bellman.columns.Cancellation;
import java.math.BigDecimal;

/**
 * Finds the nondecreasing series with the minimum weighted sum of squared deviations from a series. Neighbouring blocks
 * whose means do not increase are merged (Ayer et al., "An empirical distribution function for sampling with incomplete
 * information", 1955).
 */
public final class Isotonic {
    /** Both strategies use the same algorithm. */
    public enum Strategy {
        AUTO,
        SERIAL
    }

    /** If the product of a sum and a weight is below this bound, its rounding error may be too small for a double. */
    private static final double MIN_PRODUCT = 1e-250;

    /** The steps that {@link Cancellation} counts for the exact product of a value and its weight. */
    private static final int EXACT_STEPS = 64;

    /** The exact sum of a block's weighted values, and the exact sum of its weights. */
    private record Exact(BigDecimal sum, BigDecimal weight) {
        Exact plus(Exact other) {
            return new Exact(sum.add(other.sum), weight.add(other.weight));
        }
    }

    private final double[] values;
    private final double[] given;
    private final double[] sums;
    private final double[] sumLows;
    private final double[] weights;
    private final double[] weightLows;
    private final double[] means;
    private final int[] ends;
    /** Whether all values of a block are equal. */
    private final boolean[] constant;
    /**
     * For blocks that were compared exactly, and for blocks merged from them, the exact sums; null for other blocks.
     */
    private Exact[] exact;

    private int blocks;
    private final Cancellation cancellation = new Cancellation();

    private Isotonic(double[] values, double... given) {
        this.values = values;
        this.given = given;
        int count = values.length;
        sums = new double[count];
        sumLows = new double[count];
        weights = new double[count];
        weightLows = new double[count];
        means = new double[count];
        ends = new int[count];
        constant = new boolean[count];
    }

    /** Returns the fitted values: each is the weighted mean of its block, rounded once. */
    static double[] fit(double[] values, double[] given) {
        Isotonic fit = new Isotonic(values, given);
        for (int i = 0; i < values.length; i++) {
            fit.cancellation.count(1);
            double product = given[i] * values[i];
            fit.push(product, Math.fma(given[i], values[i], -product), given[i], values[i], i + 1);
            while (fit.blocks > 1 && !fit.increases()) {
                fit.merge();
            }
        }
        double[] fitted = new double[values.length];
        for (int block = 0, i = 0; block < fit.blocks; block++) {
            double mean = fit.ends[block] - i == 1 ? values[i] : fit.mean(i, fit.ends[block]);
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
        constant[blocks] = true;
        blocks++;
    }

    /**
     * Whether the mean of the last block exceeds the mean of the block before it. If the rounded means are equal,
     * compares the exact means.
     */
    private boolean increases() {
        int last = blocks - 1;
        int before = last - 1;
        if (means[before] != means[last]) {
            return means[before] < means[last];
        }
        if (constant[before] && constant[last] || sums[before] == 0 && sums[last] == 0) {
            return false;
        }
        double left = sums[before] * weights[last];
        double right = sums[last] * weights[before];
        boolean isExact =
                sumLows[before] == 0 && sumLows[last] == 0 && weightLows[before] == 0 && weightLows[last] == 0;
        if (isExact && Math.min(Math.abs(left), Math.abs(right)) > MIN_PRODUCT) {
            double leftLow = Math.fma(sums[before], weights[last], -left);
            double rightLow = Math.fma(sums[last], weights[before], -right);
            return left < right || left == right && leftLow < rightLow;
        }
        if (exact == null) {
            exact = new Exact[values.length];
        }
        exact[before] = exact(before);
        exact[last] = exact(last);
        BigDecimal product = exact[before].sum.multiply(exact[last].weight);
        return product.compareTo(exact[last].sum.multiply(exact[before].weight)) < 0;
    }

    private Exact exact(int block) {
        int from = block == 0 ? 0 : ends[block - 1];
        return exact[block] == null ? exact(from, ends[block]) : exact[block];
    }

    private Exact exact(int from, int to) {
        Exact sums = new Exact(BigDecimal.ZERO, BigDecimal.ZERO);
        for (int i = from; i < to; i++) {
            cancellation.count(EXACT_STEPS);
            BigDecimal own = new BigDecimal(given[i]);
            sums = sums.plus(new Exact(own.multiply(new BigDecimal(values[i])), own));
        }
        return sums;
    }

    /** Merges the last two blocks. */
    private void merge() {
        blocks--;
        int into = blocks - 1;
        // once a block has exact sums, its values are not added again
        if (exact != null && (exact[into] != null || exact[blocks] != null)) {
            exact[into] = exact(into).plus(exact(blocks));
            exact[blocks] = null;
        }
        constant[into] &= constant[blocks] && means[into] == means[blocks];
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
    private double mean(int from, int to) {
        Exact sums = exact(from, to);
        return ExactQuotient.of(sums.sum, sums.weight);
    }
}
