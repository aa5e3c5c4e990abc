package dev.bellman.markov;

import dev.bellman.columns.Cancellation;
import dev.bellman.markov.HiddenMarkov.Kind;
import java.io.Serializable;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * The states of a hidden Markov model: the probability of each state at the first step, and of each transition. Both
 * are stored as probabilities and as natural logarithms, because the recurrences use both. If the model is defined by
 * logarithms, a probability that is too small for DOUBLE is 0, but its logarithm is finite.
 */
final class Chain implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Whether the model was defined by logarithms. */
    private final boolean isLogarithms;

    private final double[] start;
    private final double[] logStart;
    /** For each state, the probabilities of the transitions to each state. */
    private final double[] moves;

    private final double[] logMoves;

    private Chain(boolean isLogarithms, double[] start, double... moves) {
        this.isLogarithms = isLogarithms;
        this.start = isLogarithms ? each(start, StrictMath::exp) : start;
        this.moves = isLogarithms ? each(moves, StrictMath::exp) : moves;
        // the sum turns -0.0 into 0.0
        logStart = each(start, isLogarithms ? log -> log + 0.0 : StrictMath::log);
        logMoves = each(moves, isLogarithms ? log -> log + 0.0 : StrictMath::log);
    }

    private static double[] each(double[] numbers, DoubleUnaryOperator operator) {
        return Arrays.stream(numbers).map(operator).toArray();
    }

    /** @param moves for each state, the probabilities of the transitions to each state, in one array */
    static Chain of(double[] start, double... moves) {
        return new Chain(false, start, moves);
    }

    /**
     * Copies and checks the arguments of a call.
     *
     * @param isLogarithms whether the arguments contain the natural logarithms of probabilities
     */
    static Chain of(String function, ArrayData start, ArrayData transitions, boolean isLogarithms) {
        Kind kind = isLogarithms ? Kind.LOG_PROBABILITIES : Kind.PROBABILITIES;
        double[] first = HiddenMarkov.start(function, start, kind);
        int states = first.length;
        return new Chain(
                isLogarithms, first, HiddenMarkov.matrix(function, "transitions", transitions, states, states, kind));
    }

    /**
     * Returns a chain of the same states with the probabilities that make the given expected counts most likely. A
     * state that no sequence leaves keeps the probabilities of its transitions.
     *
     * @param moveCounts for each state, the expected number of transitions to each state
     */
    Chain improved(double[] startCounts, double... moveCounts) {
        return new Chain(
                isLogarithms,
                divided(startCounts, givenStart(), states()),
                divided(moveCounts, isLogarithms ? logMoves : moves, states()));
    }

    /** Divides each row of a matrix by its sum. If the sum of a row is 0, the row keeps its previous probabilities. */
    static double[] dividedBySums(double[] counts, double[] previous, int width) {
        return dividedBySums(counts, previous, width, share -> share);
    }

    /**
     * Like {@link #dividedBySums}, but if the model is defined by logarithms, {@code previous} and the result contain
     * logarithms.
     */
    double[] divided(double[] counts, double[] previous, int width) {
        return dividedBySums(counts, previous, width, isLogarithms ? StrictMath::log : share -> share);
    }

    private static double[] dividedBySums(double[] counts, double[] previous, int width, DoubleUnaryOperator ofShare) {
        double[] probabilities = previous.clone();
        for (int from = 0; from < counts.length; from += width) {
            double sum = 0;
            for (int j = from; j < from + width; j++) {
                sum += counts[j];
            }
            for (int j = from; j < from + width && sum > 0; j++) {
                probabilities[j] = ofShare.applyAsDouble(counts[j] / sum);
            }
        }
        return probabilities;
    }

    /** Returns, for each state, whether a sequence can start in this state. */
    boolean[] possibleAtStart() {
        boolean[] possible = new boolean[states()];
        for (int j = 0; j < possible.length; j++) {
            possible[j] = logStart[j] > Double.NEGATIVE_INFINITY;
        }
        return possible;
    }

    /** Returns, for each state, whether it has a transition from a state that is possible at the previous step. */
    boolean[] possibleAfter(boolean... before) {
        Cancellation cancellation = new Cancellation();
        boolean[] possible = new boolean[before.length];
        for (int j = 0; j < before.length; j++) {
            int i = 0;
            while (i < before.length && !possible[j]) {
                possible[j] = before[i] && isPossible(i, j);
                i++;
            }
            cancellation.count(i);
        }
        return possible;
    }

    /**
     * Returns, for each state, the maximum number of transitions that can follow it; {@link Integer#MAX_VALUE} if it is
     * unlimited.
     */
    int[] maxTransitions() {
        int states = states();
        int[] max = new int[states];
        Arrays.fill(max, Integer.MAX_VALUE);
        int[] successors = new int[states];
        int[] ended = new int[states];
        int count = 0;
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < states; i++) {
            cancellation.count(states);
            for (int j = 0; j < states; j++) {
                successors[i] += isPossible(i, j) ? 1 : 0;
            }
            if (successors[i] == 0) {
                max[i] = 0;
                ended[count++] = i;
            }
        }
        // remove dead ends, in ascending order of their maxima, until each remaining state has a successor
        for (int next = 0; next < count; next++) {
            cancellation.count(states);
            int j = ended[next];
            for (int i = 0; i < states; i++) {
                if (isPossible(i, j) && --successors[i] == 0) {
                    max[i] = max[j] + 1;
                    ended[count++] = i;
                }
            }
        }
        return max;
    }

    private boolean isPossible(int from, int to) {
        return logMoves[from * states() + to] > Double.NEGATIVE_INFINITY;
    }

    int states() {
        return start.length;
    }

    boolean isLogarithms() {
        return isLogarithms;
    }

    double[] start() {
        return start;
    }

    double[] logStart() {
        return logStart;
    }

    double[] moves() {
        return moves;
    }

    double[] logMoves() {
        return logMoves;
    }

    /** Returns the start as the model defines it: probabilities or their logarithms. */
    double[] givenStart() {
        return isLogarithms ? logStart : start;
    }

    /** Returns the transitions as the model defines them: probabilities or their logarithms. */
    double[][] givenTransitions() {
        return HmmModel.rows(isLogarithms ? logMoves : moves, states());
    }
}
