package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Computes the expected counts for fitting a hidden Markov model with normally distributed values, like {@link
 * BaumWelch} but with the recurrences of {@link LogForward}. The probability of a transition from i to j is
 * {@code p(t, i) / s * (transition(i, j) * exp(b(t + 1, j)))}, where p is the probability of state i and
 * {@code s = sum over j of exp(b(t + 1, j)) * transition(i, j)}. If s is below 1e-290, the probability is
 * {@code p(t, i) * exp(b(t + 1, j) + log transition(i, j) - r(t, i))}.
 *
 * <p>The counts contain, for each state, the sum of {@code p} and, for each coordinate, the sums of {@code p * d} and
 * {@code p * (d * d)}, where d is the deviation of a value from the state's mean.
 *
 * <p>Each object computes the counts for the sequences of one task in one iteration.
 */
public final class GaussianFit {
    private final Function<String, BellmanException> error;
    private final GaussianModel model;
    private final LogForward steps;
    private final int states;
    private final int dimensions;
    private final ExpectedCounts all;
    private final double[][] sums;

    /** @param error creates the exception for a problem with a sequence, which the string describes */
    public GaussianFit(GaussianModel model, Function<String, BellmanException> error) {
        this(model, HiddenMarkov.Strategy.AUTO, error);
    }

    GaussianFit(GaussianModel model, HiddenMarkov.Strategy strategy, Function<String, BellmanException> error) {
        this.error = error;
        this.model = model;
        steps = new LogForward(model.chain(), strategy);
        states = model.states();
        dimensions = model.dimensions();
        all = new ExpectedCounts(states, sums(dimensions));
        sums = new double[sums(dimensions)][states];
    }

    /** Returns the number of sums for each state. */
    static int sums(int dimensions) {
        return 1 + 2 * dimensions;
    }

    /** Returns the index of the sum of the deviations of a coordinate. */
    static int deviations(int dimension) {
        return 1 + 2 * dimension;
    }

    /** Returns the index of the sum of the squared deviations of a coordinate. */
    static int squares(int dimension) {
        return 2 + 2 * dimension;
    }

    /**
     * Reserves memory for an iteration in a task: the model, the counts, and the table of the longest sequence. Returns
     * the number of reserved bytes.
     */
    public static long take(String function, int states, int dimensions, int longest) {
        BaumWelch.mustFit(function, longest, states);
        long bytes = HmmModel.bytes(states, sums(dimensions)) + (long) Double.BYTES * longest * states;
        TaskMemory.take(function, bytes, "", () -> "an iteration with %,d states and a sequence of length %,d"
                .formatted(states, longest));
        return bytes;
    }

    /** Returns the expected counts of all sequences so far. */
    public ExpectedCounts counts() {
        return all;
    }

    /**
     * Adds the expected counts of a sequence.
     *
     * @param name returns the name of the sequence, for messages
     * @param values the numbers, or the coordinates of all points
     */
    public void count(Supplier<String> name, double... values) {
        for (double[] sum : sums) {
            Arrays.fill(sum, 0);
        }
        int length = values.length / dimensions;
        double logDensity = steps.count(all, length, model.densities(values), (t, probabilities) -> {
            for (int i = 0; i < states; i++) {
                double probability = probabilities[i];
                sums[0][i] += probability;
                for (int d = 0; d < dimensions; d++) {
                    double deviation = values[t * dimensions + d] - model.mean(i, d);
                    sums[deviations(d)][i] += probability * deviation;
                    sums[squares(d)][i] += probability * (deviation * deviation);
                }
            }
        });
        if (!(logDensity > Double.NEGATIVE_INFINITY)) {
            throw error.apply("%s is impossible in the model".formatted(name.get()));
        }
        for (int i = 0; i < sums.length; i++) {
            all.addEmissions(i, sums[i]);
        }
    }
}
