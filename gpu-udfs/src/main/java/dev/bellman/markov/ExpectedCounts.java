package dev.bellman.markov;

import java.io.Serializable;
import java.util.Iterator;
import java.util.function.Consumer;

/**
 * The expected counts for a set of sequences: how often the sequences start in each state of a model, change between
 * two states, and emit each symbol. Also contains the logarithm of the sequences' probability. Counts of different
 * sequences are summed exactly, so neither the order of the sequences nor their division among tasks changes the sums.
 */
public final class ExpectedCounts implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The GPU component that computes expected counts. */
    public interface Gpu {
        /** Whether the GPU can compute the counts for a model of this size. */
        boolean supports(int states, int symbols);

        /** Whether the GPU can compute the counts for a model of this size that emits numbers or points. */
        boolean supportsPoints(int states, int dimensions);

        /**
         * Adds the expected counts of sequences to {@code to}.
         *
         * @param onCpu computes the counts of a sequence on the CPU, and adds them. It is called for sequences that do
         *     not fit in GPU memory and, if a sequence of a batch is too unlikely, for all sequences of the batch, in
         *     order
         */
        void count(HmmModel model, Iterator<int[]> sequences, ExpectedCounts to, Consumer<int[]> onCpu);

        /**
         * Adds the expected counts of sequences of numbers or points to {@code to}.
         *
         * @param sequences for each sequence, the numbers, or the coordinates of all points
         */
        void count(GaussianModel model, Iterator<double[]> sequences, ExpectedCounts to, Consumer<double[]> onCpu);
    }

    private final int states;
    private final ExactSums starts;
    /**
     * For each state, the expected number of transitions to each state. If an {@link HmmModel} is defined by
     * probabilities, the numbers are divided by the probabilities of the transitions.
     */
    private final ExactSums moves;
    /**
     * For each symbol, the expected number of emissions by each state; for a {@link GaussianModel}, the sums of {@link
     * GaussianFit}.
     */
    private final ExactSums emissions;

    private final ExactSums logProbability = new ExactSums(1);

    ExpectedCounts(int states, int symbols) {
        this.states = states;
        starts = new ExactSums(states);
        moves = new ExactSums(states * states);
        emissions = new ExactSums(symbols * states);
    }

    void addSequence(double logOfSequence, double[] startsOfSequence, double... movesOfSequence) {
        logProbability.add(0, logOfSequence);
        starts.add(0, startsOfSequence);
        moves.add(0, movesOfSequence);
    }

    /** Adds the expected number of times that each state emits a symbol. */
    void addEmissions(int symbol, double... counts) {
        emissions.add(symbol * states, counts);
    }

    /** Returns the number of sums. */
    int size() {
        return starts.size() + moves.size() + emissions.size() + logProbability.size();
    }

    /**
     * Adds counts in the format of {@link ExactSums#addFixedPoint}, in this order: starts, transitions, emissions, and
     * the logarithm of the probability.
     */
    void addFixedPoint(long... words) {
        int first = 0;
        for (ExactSums sums : new ExactSums[] {starts, moves, emissions, logProbability}) {
            sums.addFixedPoint(words, first, size());
            first += sums.size();
        }
    }

    /** Adds the counts of other sequences, and returns this object. */
    public ExpectedCounts plus(ExpectedCounts others) {
        logProbability.plus(others.logProbability);
        starts.plus(others.starts);
        moves.plus(others.moves);
        emissions.plus(others.emissions);
        return this;
    }

    /** Returns the natural logarithm of the probability of all sequences. */
    public double logProbability() {
        return logProbability.rounded()[0];
    }

    double[] starts() {
        return starts.rounded();
    }

    double[] moves() {
        return moves.rounded();
    }

    double[] emissions() {
        return emissions.rounded();
    }
}
