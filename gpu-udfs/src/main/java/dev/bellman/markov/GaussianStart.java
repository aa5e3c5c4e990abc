package dev.bellman.markov;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;

/**
 * The numbers that determine the first model for normally distributed values. All states start with the variance of all
 * values. The mean of state i is the value at the place {@code (i + u) / states * count} of the sorted values, where u
 * is a random number from 0 to 1. So the states divide the values into quantiles, for every seed.
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

    /** Returns the places of the means among all sorted values. */
    public long[] places(int states, long seed) {
        double[] uniform = uniform(states, seed);
        long[] places = new long[states];
        for (int i = 0; i < states; i++) {
            double u = uniform[states * (states + 1) + i];
            places[i] = Math.min(count - 1, (long) ((i + u) / states * count));
        }
        return places;
    }

    /** Returns the numbers for the start and the transitions, followed by {@code u} for each state. */
    private static double[] uniform(int states, long seed) {
        return HmmModel.uniform(states * (states + 2), seed);
    }

    /**
     * Returns the first model, whose start and transitions are as in {@link HmmModel#random}.
     *
     * @param sorted returns the value at each of the {@link #places}
     */
    public GaussianModel model(int states, long seed, double minVariance, LongToDoubleFunction sorted) {
        double[] uniform = uniform(states, seed);
        double[] variances = new double[states];
        Arrays.fill(variances, GaussianModel.bounded(variance, minVariance));
        return new GaussianModel(
                Chain.of(
                        HmmModel.distributions(uniform, 0, states, states),
                        HmmModel.distributions(uniform, states, states * states, states)),
                // turns -0.0 into 0.0
                Arrays.stream(places(states, seed))
                        .mapToDouble(place -> sorted.applyAsDouble(place) + 0.0)
                        .toArray(),
                variances);
    }
}
