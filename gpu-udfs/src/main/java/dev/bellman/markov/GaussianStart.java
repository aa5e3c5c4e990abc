package dev.bellman.markov;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;

/**
 * The numbers that determine the first model for normally distributed values. All states start with the variance of all
 * values, and the mean of state i is one of the values: at the place {@code (i + u) / states * count} of the sorted
 * values, where u is a random number from 0 to 1. So the states divide the values into quantiles, for every seed.
 *
 * @param count the number of values
 * @param variance the exact sum of the squared deviations from the mean, rounded once and divided by the count
 */
public record GaussianStart(long count, double variance) {
    /** Computes the numbers; sums are exact, so the order of the values does not matter. */
    static GaussianStart of(double... values) {
        ExactSums sum = new ExactSums(1);
        for (double value : values) {
            sum.add(0, value);
        }
        double mean = sum.rounded()[0] / values.length;
        ExactSums squares = new ExactSums(1);
        for (double value : values) {
            double deviation = value - mean;
            squares.add(0, deviation * deviation);
        }
        return new GaussianStart(values.length, squares.rounded()[0] / values.length);
    }

    /**
     * Returns the first model. Its start and transitions are as in {@link HmmModel#random}, followed by {@code u} for
     * each state.
     *
     * @param sorted returns the value at a place of the sorted values
     */
    GaussianModel model(int states, long seed, double minVariance, LongToDoubleFunction sorted) {
        double[] uniform = HmmModel.uniform(states * (states + 2), seed);
        double[] start = HmmModel.distributions(uniform, 0, states, states);
        double[] moves = HmmModel.distributions(uniform, states, states * states, states);
        double[] means = new double[states];
        for (int i = 0; i < states; i++) {
            double u = uniform[states * (states + 1) + i];
            // turns -0.0 into 0.0
            means[i] = sorted.applyAsDouble(Math.min(count - 1, (long) ((i + u) / states * count))) + 0.0;
        }
        double[] variances = new double[states];
        Arrays.fill(variances, GaussianModel.bounded(variance, minVariance));
        return new GaussianModel(start, moves, means, variances);
    }
}
