package dev.bellman.markov;

import java.io.Serializable;

/**
 * The expected counts for a set of sequences: how often the sequences start in each state of a model, change between
 * two states, and emit each symbol. Also contains the logarithm of the sequences' probability. Counts of different
 * sequences are summed exactly, so neither the order of the sequences nor their division among tasks changes the sums.
 */
public final class ExpectedCounts implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int states;
    private final ExactSums starts;
    /** For each state, the expected number of transitions to each state. */
    private final ExactSums moves;
    /** For each symbol, the expected number of emissions by each state. */
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

    /** Adds the number of times that each state emits a symbol. */
    void addEmissions(int symbol, double... counts) {
        emissions.add(symbol * states, counts);
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
