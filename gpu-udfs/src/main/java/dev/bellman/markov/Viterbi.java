package dev.bellman.markov;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Finds the most likely states for a sequence, after Viterbi, "Error bounds for convolutional codes and an
 * asymptotically optimum decoding algorithm" (1967).
 *
 * <pre>{@code
 * v(0, j) = log start(j) + log emission(0, j)
 * v(t, j) = (max over i of v(t - 1, i) + log transition(i, j)) + log emission(t, j)
 * }</pre>
 *
 * <p>At each step, the traceback chooses the smallest of the states that yield the maximum. Predecessors are recomputed
 * from the rows rather than stored.
 */
final class Viterbi {
    private final HiddenMarkov model;
    private final int states;
    private final double[] moves;
    /** The values {@code v(t, j)}, row by row. */
    private final double[] rows;

    private final Cancellation cancellation = new Cancellation();

    private Viterbi(HiddenMarkov model) {
        this.model = model;
        states = model.states();
        TaskMemory.take(
                (long) Double.BYTES * (model.steps() * (long) states + model.transitions().length),
                () -> "the table for %,d steps by %,d states".formatted(model.steps(), states));
        moves = logs(model.transitions());
        rows = new double[model.steps() * states];
    }

    record Path(double logWeight, int... states) {}

    static Path of(String function, HiddenMarkov model, HiddenMarkov.Strategy strategy) {
        Viterbi table = new Viterbi(model);
        table.fill(strategy == HiddenMarkov.Strategy.SERIAL);
        int last = (model.steps() - 1) * model.states();
        double best = Arrays.stream(table.rows, last, table.rows.length).max().orElseThrow();
        if (best == Double.NEGATIVE_INFINITY) {
            throw MarkovSolvers.impossible(function);
        }
        return new Path(best, table.path(best));
    }

    private void fill(boolean asPrinted) {
        for (int t = 0; t < model.steps(); t++) {
            cancellation.count((long) states * states);
            int row = t * states;
            if (t == 0) {
                System.arraycopy(logs(model.start()), 0, rows, 0, states);
            } else if (asPrinted) {
                maxima(row);
            } else {
                raise(row);
            }
            for (int j = 0; j < states; j++) {
                rows[row + j] += model.log(model.emissions()[model.emission(t) + j]);
            }
        }
    }

    private void maxima(int row) {
        for (int j = 0; j < states; j++) {
            double best = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < states; i++) {
                best = Math.max(best, rows[row - states + i] + moves[i * states + j]);
            }
            rows[row + j] = best;
        }
    }

    private void raise(int row) {
        double[] best = new double[states];
        Arrays.fill(best, Double.NEGATIVE_INFINITY);
        for (int i = 0; i < states; i++) {
            double before = rows[row - states + i];
            int from = i * states;
            for (int j = 0; j < best.length; j++) {
                best[j] = Math.max(best[j], before + moves[from + j]);
            }
        }
        System.arraycopy(best, 0, rows, row, states);
    }

    private int[] path(double best) {
        int[] path = new int[model.steps()];
        double value = best;
        for (int t = path.length - 1; t >= 0; t--) {
            cancellation.count(states);
            int row = t * states;
            int j = 0;
            if (t == path.length - 1) {
                while (rows[row + j] != value) {
                    j++;
                }
            } else {
                j = before(row, path[t + 1]);
            }
            path[t] = j;
        }
        return path;
    }

    /** Returns the smallest state of a row from which a best path leads to a state of the next row. */
    private int before(int row, int next) {
        int found = 0;
        for (int i = 1; i < states; i++) {
            if (rows[row + i] + moves[i * states + next] > rows[row + found] + moves[found * states + next]) {
                found = i;
            }
        }
        return found;
    }

    private double[] logs(double... weights) {
        return Arrays.stream(weights).map(model::log).toArray();
    }
}
