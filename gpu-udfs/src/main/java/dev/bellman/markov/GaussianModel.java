package dev.bellman.markov;

import dev.bellman.columns.ArrayArguments;
import dev.bellman.markov.HiddenMarkov.Kind;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** A hidden Markov model whose states emit normally distributed numbers. */
public final class GaussianModel implements FittedModel {
    private static final long serialVersionUID = 1L;

    /** The maximum magnitude of values and means; with the limits of variances, no density overflows. */
    private static final double MAX_VALUE = 1e100;

    private static final double MIN_VARIANCE = 1e-80;
    private static final double MAX_VARIANCE = 1e200;

    private final Chain chain;
    private final double[] means;
    private final double[] variances;
    /** The logarithm of {@code 2 * pi * variance} for each state. */
    private final double[] scales;

    GaussianModel(Chain chain, double[] means, double... variances) {
        this.chain = chain;
        this.means = means;
        this.variances = variances;
        scales = Arrays.stream(variances)
                .map(variance -> StrictMath.log(2 * Math.PI * variance))
                .toArray();
    }

    /**
     * Returns a model with the given probabilities.
     *
     * @param emissions the mean and the variance of each state
     */
    public static GaussianModel of(double[] start, double[][] transitions, double[]... emissions) {
        return new GaussianModel(
                Chain.of(
                        start,
                        Stream.of(transitions).flatMapToDouble(Arrays::stream).toArray()),
                Stream.of(emissions).mapToDouble(pair -> pair[0]).toArray(),
                Stream.of(emissions).mapToDouble(pair -> pair[1]).toArray());
    }

    /**
     * Copies and checks the arguments of a call.
     *
     * @param emissions the mean and the variance of each state
     */
    public static GaussianModel of(String function, ArrayData start, ArrayData transitions, ArrayData emissions) {
        return of(function, Chain.of(function, start, transitions, false), emissions);
    }

    static GaussianModel of(String function, Chain chain, ArrayData emissions) {
        int states = chain.states();
        double[] pairs = HiddenMarkov.matrix(function, "emissions", emissions, states, 2, Kind.NUMBERS);
        double[] means = new double[states];
        double[] variances = new double[states];
        for (int i = 0; i < states; i++) {
            means[i] = pairs[2 * i];
            variances[i] = pairs[2 * i + 1];
            if (!isValue(means[i])) {
                throw invalid(function, i, 0, means[i], "a mean from -1e100 to 1e100");
            }
            if (!isVariance(variances[i])) {
                throw invalid(function, i, 1, variances[i], "a variance from 1e-80 to 1e200");
            }
        }
        return new GaussianModel(chain, means, variances);
    }

    private static RuntimeException invalid(String function, int state, int column, double found, String expected) {
        return ArrayArguments.invalid(function, "row %,d of emissions".formatted(state + 1), column, found, expected);
    }

    /** Whether a number is an allowed variance. */
    public static boolean isVariance(double number) {
        return number >= MIN_VARIANCE && number <= MAX_VARIANCE;
    }

    /** Returns the closest variance that is at least as large as the minimum. */
    static double bounded(double variance, double minVariance) {
        return Math.min(Math.max(variance, minVariance), MAX_VARIANCE);
    }

    /** Whether a number is an allowed value of a sequence. */
    public static boolean isValue(double number) {
        return Math.abs(number) <= MAX_VALUE;
    }

    /** Copies a sequence of values. */
    static double[] values(String function, String name, ArrayData array) {
        return ArrayArguments.doubles(function, name, array, GaussianModel::isValue, "a number from -1e100 to 1e100");
    }

    /** Returns the densities of a sequence. */
    LogForward.Densities densities(double... values) {
        return (t, logs) -> {
            for (int j = 0; j < means.length; j++) {
                double deviation = values[t] - means[j];
                logs[j] = -(scales[j] + deviation * deviation / variances[j]) / 2;
            }
        };
    }

    /**
     * Returns a model in which the sequences are at least as likely as in this model, given their expected counts in
     * this model. The variance of a state is the mean of the squared deviations from the previous mean, minus the
     * square of the difference between the means. A state that the sequences reach with a probability below 1e-290
     * keeps its mean and its variance.
     *
     * @param minVariance the minimum variance of a state
     */
    public GaussianModel improved(ExpectedCounts counts, double minVariance) {
        int states = states();
        double[] sums = counts.emissions();
        double[] nextMeans = means.clone();
        double[] nextVariances = variances.clone();
        for (int i = 0; i < states; i++) {
            double count = sums[i];
            if (count >= BaumWelch.MIN_SUM) {
                double shift = sums[states + i] / count;
                nextMeans[i] = Math.max(-MAX_VALUE, Math.min(means[i] + shift, MAX_VALUE));
                nextVariances[i] = bounded(sums[2 * states + i] / count - shift * shift, minVariance);
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
        double[][] pairs = new double[states()][];
        Arrays.setAll(pairs, i -> new double[] {means[i], variances[i]});
        return pairs;
    }

    double mean(int state) {
        return means[state];
    }

    Chain chain() {
        return chain;
    }
}
