package dev.bellman.markov;

import static dev.bellman.proof.Values.require;

import java.math.BigDecimal;
import java.util.Arrays;

/** Sums the counts of all sequences in an iteration exactly, from complete tables of {@link LogTextbook}. */
final class LogFitTextbook {
    private final LogTextbook chain;
    private final BigDecimal[] starts;
    private final BigDecimal[][] moves;
    /** For each state, the sums that determine its emissions. */
    private final BigDecimal[][] emissions;

    private BigDecimal log = BigDecimal.ZERO;

    LogFitTextbook(LogTextbook chain, int emissions) {
        this.chain = chain;
        starts = zeros(chain.states());
        moves = new BigDecimal[chain.states()][];
        this.emissions = new BigDecimal[chain.states()][];
        Arrays.setAll(moves, i -> zeros(chain.states()));
        Arrays.setAll(this.emissions, i -> zeros(emissions));
    }

    private static BigDecimal[] zeros(int count) {
        BigDecimal[] zeros = new BigDecimal[count];
        Arrays.fill(zeros, BigDecimal.ZERO);
        return zeros;
    }

    /** Adds to the sums of a state's emissions, given the state's probability at a step. */
    interface Emission {
        void add(double[] sums, double probability, int state, int t);
    }

    /** Adds the counts of a sequence; its steps have these densities. */
    void add(double[][] densities, Emission emission) {
        int last = densities.length - 1;
        double[][] f = new double[last + 1][];
        double density = chain.forward(f, densities);
        require(density > Double.NEGATIVE_INFINITY);
        log = log.add(new BigDecimal(density));
        double[][] r = chain.backward(f, densities);
        for (int i = 0; i < chain.states(); i++) {
            double[] moved = new double[chain.states()];
            double[] emitted = new double[emissions[i].length];
            for (int t = last; t >= 0; t--) {
                double p = LogTextbook.probabilities(f[t], r[t])[i];
                emission.add(emitted, p, i, t);
                if (t < last) {
                    double[] b = LogTextbook.after(f[t + 1], r[t + 1], densities[t + 1]);
                    addMoves(moved, p, chain.transitions[i], r[t][i], b);
                }
            }
            starts[i] = starts[i].add(new BigDecimal(LogTextbook.probabilities(f[0], r[0])[i]));
            addTo(moves[i], moved);
            addTo(emissions[i], emitted);
        }
    }

    /** Adds the probabilities of the transitions from a state with probability {@code p}. */
    private void addMoves(double[] moved, double p, double[] transitions, double r, double... b) {
        double sum = 0;
        for (int j = 0; j < b.length; j++) {
            sum += StrictMath.exp(b[j]) * chain.weight(transitions[j]);
        }
        for (int j = 0; j < b.length && p > 0; j++) {
            moved[j] += sum >= 1e-290
                    ? p / sum * (chain.weight(transitions[j]) * StrictMath.exp(b[j]))
                    : p * StrictMath.exp(b[j] + chain.log(transitions[j]) - r);
        }
    }

    private static void addTo(BigDecimal[] sums, double... counts) {
        Arrays.setAll(sums, i -> sums[i].add(new BigDecimal(counts[i])));
    }

    double log() {
        return log.doubleValue();
    }

    double[] emissions(int state) {
        return HmmTextbook.rounded(emissions[state]);
    }

    /** Replaces the start and the transitions with the most likely ones. */
    void improve() {
        maximize(HmmTextbook.rounded(starts), chain.start);
        for (int i = 0; i < chain.states(); i++) {
            maximize(HmmTextbook.rounded(moves[i]), chain.transitions[i]);
        }
    }

    /** Replaces probabilities with the most likely ones for these counts. */
    void maximize(double[] counts, double... probabilities) {
        boolean some = Arrays.stream(counts).anyMatch(count -> count > 0);
        HmmTextbook.maximize(counts, probabilities);
        for (int j = 0; some && chain.logs && j < probabilities.length; j++) {
            probabilities[j] = StrictMath.log(probabilities[j]);
        }
    }
}
