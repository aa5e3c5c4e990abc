package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.markov.HiddenMarkov.Kind;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * A hidden Markov model whose states emit normally distributed numbers, or points whose coordinates are independent and
 * normally distributed. A sequence of points is one array, point after point.
 */
public final class GaussianModel implements FittedModel {
    private static final long serialVersionUID = 1L;

    /** The maximum magnitude of values and means; with the limits of variances, no density overflows. */
    private static final double MAX_VALUE = 1e100;

    private static final double MIN_VARIANCE = 1e-80;
    private static final double MAX_VARIANCE = 1e200;

    private final Chain chain;
    /** The number of coordinates of a point; 1 for numbers. */
    private final int dimensions;
    /** For each state, the mean of each coordinate. */
    private final double[] means;

    private final double[] variances;
    /** The logarithm of {@code 2 * pi * variance} for each variance. */
    private final double[] scales;

    GaussianModel(Chain chain, double[] means, double... variances) {
        this.chain = chain;
        dimensions = means.length / chain.states();
        this.means = means;
        this.variances = variances;
        scales = Arrays.stream(variances)
                .map(variance -> StrictMath.log(2 * Math.PI * variance))
                .toArray();
    }

    /**
     * Returns a model with the given probabilities.
     *
     * @param emissions for each state, the mean and the variance of each coordinate
     */
    public static GaussianModel of(double[] start, double[][] transitions, double[]... emissions) {
        Chain chain = Chain.of(
                start, Stream.of(transitions).flatMapToDouble(Arrays::stream).toArray());
        return of(chain, Stream.of(emissions).flatMapToDouble(Arrays::stream).toArray());
    }

    /** @param pairs for each state, the mean and the variance of each coordinate */
    private static GaussianModel of(Chain chain, double... pairs) {
        double[] means = new double[pairs.length / 2];
        double[] variances = new double[pairs.length / 2];
        for (int i = 0; i < means.length; i++) {
            means[i] = pairs[2 * i];
            variances[i] = pairs[2 * i + 1];
        }
        return new GaussianModel(chain, means, variances);
    }

    /**
     * Copies and checks the arguments of a call.
     *
     * @param emissions for each state, the mean and the variance of each coordinate
     * @param ofPoints whether the model emits points with any number of coordinates rather than numbers
     */
    public static GaussianModel of(
            String function, ArrayData start, ArrayData transitions, ArrayData emissions, boolean ofPoints) {
        return of(function, Chain.of(function, start, transitions, false), emissions, ofPoints);
    }

    static GaussianModel of(String function, Chain chain, ArrayData emissions, boolean ofPoints) {
        int states = chain.states();
        double[] pairs = HiddenMarkov.matrix(function, "emissions", emissions, states, ofPoints ? -1 : 2, Kind.NUMBERS);
        int width = pairs.length / states;
        if (width == 0 || width % 2 == 1) {
            throw BellmanException.inRow(
                    function,
                    "emissions has %,d columns; it must have a mean and a variance for each coordinate of a point"
                            .formatted(width));
        }
        for (int i = 0; i < pairs.length; i++) {
            if (i % 2 == 0 && !isValue(pairs[i])) {
                throw invalid(function, i / width, i % width, pairs[i], "a mean from -1e100 to 1e100");
            }
            if (i % 2 == 1 && !isVariance(pairs[i])) {
                throw invalid(function, i / width, i % width, pairs[i], "a variance from 1e-80 to 1e200");
            }
        }
        return of(chain, pairs);
    }

    private static RuntimeException invalid(String function, int state, int column, double found, String expected) {
        return ArrayArguments.invalid(function, "row %,d of emissions".formatted(state + 1), column, found, expected);
    }

    /** Whether a number is an allowed variance. */
    public static boolean isVariance(double number) {
        return number >= MIN_VARIANCE && number <= MAX_VARIANCE;
    }

    /** Returns the closest allowed variance that is not below the minimum. */
    static double bounded(double variance, double minVariance) {
        return Math.min(Math.max(variance, minVariance), MAX_VARIANCE);
    }

    /** Whether a number is an allowed value of a sequence. */
    public static boolean isValue(double number) {
        return Math.abs(number) <= MAX_VALUE;
    }

    /** Copies and checks a sequence of values. */
    static double[] values(String function, String name, ArrayData array) {
        return ArrayArguments.doubles(function, name, array, GaussianModel::isValue, "a number from -1e100 to 1e100");
    }

    /**
     * Copies and checks a sequence of points.
     *
     * @param dimensions the required number of coordinates
     */
    static double[] points(String function, String name, ArrayData array, int dimensions) {
        return HiddenMarkov.matrix(function, name, array, -1, dimensions, Kind.VALUES);
    }

    LogForward.Densities densities(double... values) {
        return (t, logs) -> {
            for (int j = 0; j < logs.length; j++) {
                double sum = 0;
                for (int d = 0; d < dimensions; d++) {
                    int k = j * dimensions + d;
                    double deviation = values[t * dimensions + d] - means[k];
                    sum += scales[k] + deviation * deviation / variances[k];
                }
                logs[j] = -sum / 2;
            }
        };
    }

    /**
     * Returns a model in which the sequences are at least as likely as in this model, given their expected counts in
     * this model, unless a variance of this model is less than {@code minVariance}. The variance of a state is the mean
     * of the squared deviations from the previous mean, minus the square of the difference between the means. A state
     * that is expected to occur less than 1e-290 times keeps its mean and its variance.
     *
     * @param minVariance the minimum variance of a state
     */
    public GaussianModel improved(ExpectedCounts counts, double minVariance) {
        int states = states();
        double[] sums = counts.emissions();
        double[] nextMeans = means.clone();
        double[] nextVariances = variances.clone();
        for (int k = 0; k < means.length; k++) {
            int i = k / dimensions;
            int d = k % dimensions;
            double count = sums[i];
            if (count >= BaumWelch.MIN_SUM) {
                double shift = sums[GaussianFit.deviations(d) * states + i] / count;
                double square = sums[GaussianFit.squares(d) * states + i] / count;
                nextMeans[k] = Math.max(-MAX_VALUE, Math.min(means[k] + shift, MAX_VALUE));
                nextVariances[k] = bounded(square - shift * shift, minVariance);
            }
        }
        return new GaussianModel(chain.improved(counts.starts(), counts.moves()), nextMeans, nextVariances);
    }

    @Override
    public double[] start() {
        return chain.givenStart();
    }

    @Override
    public double[][] transitions() {
        return chain.givenTransitions();
    }

    @Override
    public double[][] emissions() {
        return HmmModel.rows(pairs(), 2 * dimensions);
    }

    /** Returns the number of coordinates of a point; 1 for numbers. */
    public int dimensions() {
        return dimensions;
    }

    double mean(int state, int dimension) {
        return means[state * dimensions + dimension];
    }

    Chain chain() {
        return chain;
    }

    /** Returns, for each state, the mean and the variance of each coordinate. */
    double[] pairs() {
        double[] pairs = new double[2 * means.length];
        for (int k = 0; k < means.length; k++) {
            pairs[2 * k] = means[k];
            pairs[2 * k + 1] = variances[k];
        }
        return pairs;
    }

    /** Returns the logarithm of {@code 2 * pi * variance} at the place of each variance in {@link #pairs}. */
    double[] scales() {
        double[] all = new double[2 * scales.length];
        for (int k = 0; k < scales.length; k++) {
            all[2 * k + 1] = scales[k];
        }
        return all;
    }
}
