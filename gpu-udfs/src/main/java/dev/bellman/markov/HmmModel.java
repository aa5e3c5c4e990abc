package dev.bellman.markov;

import dev.bellman.columns.TaskMemory;
import dev.bellman.markov.HiddenMarkov.Kind;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** A hidden Markov model that emits symbols. */
public final class HmmModel implements FittedModel {
    private static final long serialVersionUID = 1L;

    /** The number of bytes per entry of a model, including exact sums, the result, and its copies in Spark. */
    private static final int BYTES_OF_AN_ENTRY = 184;

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final Chain chain;
    private final int states;
    /** A row for each symbol, with an entry for each state; logarithms if the chain is defined by logarithms. */
    private final double[] emissions;

    /** @param emissions for each state, an entry for each symbol, in one array */
    private HmmModel(Chain chain, double... emissions) {
        this.chain = chain;
        states = chain.states();
        this.emissions = HiddenMarkov.transposed(emissions, states, emissions.length / states);
    }

    /**
     * Returns a model with the given probabilities.
     *
     * @param transitions for each state, the probabilities of the transitions to each state, in one array
     * @param emissions for each state, the probability of each symbol, in one array
     */
    public static HmmModel of(double[] start, double[] transitions, double... emissions) {
        return new HmmModel(Chain.of(start, transitions), emissions);
    }

    /** Copies and checks the arguments of a call. */
    public static HmmModel of(String function, ArrayData start, ArrayData transitions, ArrayData emissions) {
        return of(function, Chain.of(function, start, transitions, false), emissions);
    }

    /** Copies and checks emissions, which are logarithms if the chain is defined by logarithms. */
    static HmmModel of(String function, Chain chain, ArrayData emissions) {
        Kind kind = chain.isLogarithms() ? Kind.LOG_PROBABILITIES : Kind.PROBABILITIES;
        return new HmmModel(chain, HiddenMarkov.matrix(function, "emissions", emissions, chain.states(), -1, kind));
    }

    /** Reserves memory for a model, and fails if the model is too large. Returns the number of reserved bytes. */
    public static long take(String function, int states, int symbols) {
        HiddenMarkov.mustFit(function, "transitions", states, states);
        HiddenMarkov.mustFit(function, "emissions", states, symbols);
        long bytes = bytes(states, symbols);
        TaskMemory.take(
                function, bytes, "", () -> "a model with %,d states and %,d symbols".formatted(states, symbols));
        return bytes;
    }

    /** Returns the number of bytes for a model and its counts. */
    static long bytes(int states, int symbols) {
        return BYTES_OF_AN_ENTRY * ((long) states * (states + 1L) + (long) states * symbols);
    }

    /**
     * Returns a model with random probabilities, which are drawn in this order: the start, the transitions from each
     * state, the emissions of each state. All distributions are equally likely (each probability is an exponentially
     * distributed number, divided by the sum of its row). The generator is SplitMix64 (G. L. Steele, D. Lea and C. H.
     * Flood, 2014).
     */
    public static HmmModel random(int states, int symbols, long seed) {
        double[] all = uniform(states + states * states + states * symbols, seed);
        int moves = states * states;
        return of(
                distributions(all, 0, states, states),
                distributions(all, states, moves, states),
                distributions(all, states + moves, states * symbols, symbols));
    }

    /** Returns random numbers from 0 (inclusive) to 1 (exclusive). */
    static double[] uniform(int count, long seed) {
        double[] numbers = new double[count];
        long state = seed;
        for (int i = 0; i < count; i++) {
            state += GOLDEN_GAMMA;
            long mixed = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
            numbers[i] = ((mixed ^ mixed >>> 31) >>> 11) * 0x1p-53;
        }
        return numbers;
    }

    /**
     * Turns {@code count} random numbers, beginning with number {@code from}, into rows of {@code width} probabilities.
     */
    static double[] distributions(double[] uniform, int from, int count, int width) {
        double[] numbers = Arrays.stream(uniform, from, from + count)
                .map(number -> -StrictMath.log(1 - number))
                .toArray();
        return Chain.dividedBySums(numbers, numbers, width);
    }

    /**
     * Returns a model in which the sequences are at least as likely as in this model, given their expected counts in
     * this model.
     */
    public HmmModel improved(ExpectedCounts counts) {
        double[] moveCounts = counts.moves();
        if (!chain.isLogarithms()) {
            double[] moves = chain.moves();
            for (int i = 0; i < moves.length; i++) {
                moveCounts[i] *= moves[i];
            }
        }
        int symbols = symbols();
        return new HmmModel(
                chain.improved(counts.starts(), moveCounts),
                chain.divided(
                        HiddenMarkov.transposed(counts.emissions(), symbols, states),
                        HiddenMarkov.transposed(emissions, symbols, states),
                        symbols));
    }

    @Override
    public int states() {
        return states;
    }

    public int symbols() {
        return emissions.length / states;
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
        return rows(HiddenMarkov.transposed(emissions, symbols(), states), symbols());
    }

    Chain chain() {
        return chain;
    }

    double[] bySymbol() {
        return emissions;
    }

    static double[][] rows(double[] matrix, int width) {
        double[][] rows = new double[matrix.length / width][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(matrix, i * width, (i + 1) * width));
        return rows;
    }
}
