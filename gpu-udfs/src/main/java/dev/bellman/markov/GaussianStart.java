package dev.bellman.markov;

import java.util.function.LongFunction;

/**
 * The numbers that determine the first model for normally distributed values. All states start with the variance of all
 * values, or with the minimum variance if that is larger, and the mean of state i is one of the values: at the place
 * {@code (i + u) / states * count} of the sorted values, where u is a random number from 0 (inclusive) to 1
 * (exclusive). So, for every seed, each of the {@code states} quantile ranges of the values contains the mean of one
 * state. Points are sorted by their first coordinate; if it is equal, by the second, and so on. Each coordinate has its
 * own variance.
 *
 * @param count the number of values or points
 * @param variances for each coordinate, the exact sum of the squared deviations from the mean, rounded once and divided
 *     by the count
 */
public record GaussianStart(long count, double... variances) {
    /**
     * Computes the numbers; sums are exact, so the order of the values does not matter.
     *
     * @param values the values, or the coordinates of all points
     */
    static GaussianStart of(int dimensions, double... values) {
        int count = values.length / dimensions;
        double[] variances = new double[dimensions];
        for (int d = 0; d < dimensions; d++) {
            ExactSums sum = new ExactSums(1);
            for (int i = d; i < values.length; i += dimensions) {
                sum.add(0, values[i]);
            }
            double mean = sum.rounded()[0] / count;
            ExactSums squares = new ExactSums(1);
            for (int i = d; i < values.length; i += dimensions) {
                double deviation = values[i] - mean;
                squares.add(0, deviation * deviation);
            }
            variances[d] = squares.rounded()[0] / count;
        }
        return new GaussianStart(count, variances);
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

    /** Returns the random numbers for the start and the transitions, followed by {@code u} for each state. */
    private static double[] uniform(int states, long seed) {
        return HmmModel.uniform(states * (states + 2), seed);
    }

    /**
     * Returns the first model, whose start and transitions are as in {@link HmmModel#random}.
     *
     * @param sorted returns the value or the point at each of the {@link #places}
     */
    public GaussianModel model(int states, long seed, double minVariance, LongFunction<double[]> sorted) {
        double[] uniform = uniform(states, seed);
        int dimensions = variances.length;
        long[] places = places(states, seed);
        double[] means = new double[states * dimensions];
        double[] first = new double[states * dimensions];
        for (int i = 0; i < states; i++) {
            double[] point = sorted.apply(places[i]);
            for (int d = 0; d < dimensions; d++) {
                // turns -0.0 into 0.0
                means[i * dimensions + d] = point[d] + 0.0;
                first[i * dimensions + d] = GaussianModel.bounded(variances[d], minVariance);
            }
        }
        return new GaussianModel(
                Chain.of(
                        HmmModel.distributions(uniform, 0, states, states),
                        HmmModel.distributions(uniform, states, states * states, states)),
                means,
                first);
    }
}
