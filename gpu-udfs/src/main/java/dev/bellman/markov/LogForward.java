package dev.bellman.markov;

import dev.bellman.markov.HiddenMarkov.Strategy;

/**
 * Computes the forward and backward recurrences for densities that DOUBLE cannot represent, such as those of numbers
 * far from all means. The recurrences use natural logarithms, relative to the largest number of each step. The
 * logarithm of the density of step t in state j is called {@code density(t, j)}:
 *
 * <pre>{@code
 * e(t, j) = density(t, j) - (max over possible i of density(t, i))
 * u(0, j) = log start(j) + e(0, j)
 * u(t, j) = log(sum over i of exp(f(t - 1, i)) * transition(i, j)) + e(t, j)
 * f(t, j) = u(t, j) - (max over i of u(t, i))
 * r(T - 1, i) = 0;  r(t, i) = log(sum over j of exp(b(t + 1, j)) * transition(i, j))
 * v(t, j) = r(t, j) + e(t, j);  b(t, j) = v(t, j) - (max over i of v(t, i))
 * }</pre>
 *
 * <p>Only states that belong to a possible sequence of states count, because the density of any other state could be so
 * large that small differences between all other states would be lost. Therefore, {@code u(t, j)} is -Infinity if no
 * path of T - 1 - t transitions begins at state j, where T is the number of steps, and {@code v(t, j)} is -Infinity if
 * {@code f(t, j)} is. A state is possible for {@code e} if its entry in {@code u} or {@code v} would be larger than
 * -Infinity without {@code e}.
 *
 * <p>{@link LogProduct} defines how small sums are computed. The logarithm of the density of a sequence is a sum: for
 * each step, it includes the maximum density and the maximum of {@code u}; in addition, it includes the logarithm of
 * the sum of {@code exp(f(T - 1, j))}. The probability of state i at step t is {@code exp(f(t, i) + r(t, i) - m)},
 * where m is the maximum of {@code f + r} at t, divided by its sum over all i.
 */
final class LogForward {
    private final Chain chain;
    private final int states;
    private final double[] start;
    /** The maximum number of transitions that can follow each state. */
    private final int[] maxTransitions;

    private final double[] densities;
    private final LogProduct forward;
    private final LogProduct backward;

    /** Receives the probabilities of all states at a step; the array is reused. */
    interface Step {
        void accept(int t, double... probabilities);
    }

    interface Densities {
        /** Writes the natural logarithm of the density of a step in each state. */
        void fill(int t, double... logs);
    }

    LogForward(Chain chain, Strategy strategy) {
        this.chain = chain;
        states = chain.states();
        densities = new double[states];
        start = chain.logStart();
        maxTransitions = chain.maxTransitions();
        forward = new LogProduct(chain.moves(), chain.logMoves(), states, strategy);
        backward = new LogProduct(
                HiddenMarkov.transposed(chain.moves(), states, states),
                HiddenMarkov.transposed(chain.logMoves(), states, states),
                states,
                strategy);
    }

    /**
     * Returns the natural logarithm of the density of a sequence; -Infinity if the sequence is impossible.
     *
     * @param rows receives {@code f}: one row for each step, or only the last row if there is space for a single row
     */
    double fill(double[] rows, int steps, Densities of) {
        double[] row = start.clone();
        double[] next = new double[states];
        double logDensity = 0;
        for (int t = 0; t < steps; t++) {
            if (t > 0) {
                forward.multiply(row, next);
                double[] free = row;
                row = next;
                next = free;
            }
            for (int j = 0; j < states; j++) {
                row[j] = maxTransitions[j] < steps - 1 - t ? Double.NEGATIVE_INFINITY : row[j];
            }
            double most = addDensities(row, t, of);
            if (most == Double.NEGATIVE_INFINITY) {
                return most;
            }
            logDensity += most;
            System.arraycopy(row, 0, rows, rows.length == states ? 0 : t * states, states);
        }
        double sum = 0;
        for (double each : row) {
            sum += StrictMath.exp(each);
        }
        return logDensity + StrictMath.log(sum);
    }

    /**
     * Adds {@code e} of a step to a row and subtracts the maximum. Returns the sum of this maximum and of the maximum
     * density; -Infinity if all entries of the resulting row are -Infinity.
     */
    private double addDensities(double[] row, int t, Densities of) {
        of.fill(t, densities);
        double mostDense = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < states; j++) {
            mostDense = row[j] > Double.NEGATIVE_INFINITY ? Math.max(mostDense, densities[j]) : mostDense;
        }
        if (mostDense == Double.NEGATIVE_INFINITY) {
            return mostDense;
        }
        double most = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < states; j++) {
            row[j] += densities[j] - mostDense;
            most = Math.max(most, row[j]);
        }
        for (int j = 0; j < states && most > Double.NEGATIVE_INFINITY; j++) {
            row[j] -= most;
        }
        return mostDense + most;
    }

    /**
     * Computes the probabilities of the states at all steps of a possible sequence, from the last step to the first.
     *
     * @param rows {@code f}, with a row for each step
     */
    void backward(double[] rows, int steps, Densities of, Step step) {
        double[] b = new double[states];
        double[] r = new double[states];
        double[] probabilities = new double[states];
        boolean[] possible = new boolean[states];
        for (int t = steps - 1; t >= 0; t--) {
            if (t < steps - 1) {
                backward.multiply(b, r);
            }
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < states; i++) {
                // the receiver may overwrite the row
                possible[i] = rows[t * states + i] > Double.NEGATIVE_INFINITY;
                probabilities[i] = rows[t * states + i] + r[i];
                most = Math.max(most, probabilities[i]);
            }
            double sum = 0;
            for (int i = 0; i < states; i++) {
                probabilities[i] = StrictMath.exp(probabilities[i] - most);
                sum += probabilities[i];
            }
            for (int i = 0; i < states; i++) {
                probabilities[i] /= sum;
            }
            step.accept(t, probabilities);
            for (int j = 0; j < states; j++) {
                b[j] = possible[j] ? r[j] : Double.NEGATIVE_INFINITY;
            }
            addDensities(b, t, of);
        }
    }

    /**
     * Adds the expected counts of a sequence, except those of its emissions. Returns the natural logarithm of the
     * density of the sequence; -Infinity if the sequence is impossible.
     *
     * @param emissions receives the probabilities of the states at each step, from the last step to the first
     */
    double count(ExpectedCounts counts, int steps, Densities of, Step emissions) {
        double[] rows = new double[steps * states];
        double logDensity = fill(rows, steps, of);
        if (logDensity > Double.NEGATIVE_INFINITY) {
            double[] starts = new double[states];
            double[] moves = new double[states * states];
            backward(rows, steps, of, (t, probabilities) -> {
                if (t < steps - 1) {
                    addMoves(moves, probabilities);
                }
                emissions.accept(t, probabilities);
                System.arraycopy(probabilities, 0, starts, 0, states);
            });
            counts.addSequence(logDensity, starts, moves);
        }
        return logDensity;
    }

    /**
     * Adds the probabilities of the transitions from the current step of {@link #backward} to the next step.
     *
     * @param probabilities the probabilities of the states at the current step
     */
    private void addMoves(double[] counts, double... probabilities) {
        double[] weights = backward.weights();
        double[] moves = chain.moves();
        for (int i = 0; i < states; i++) {
            int from = i * states;
            if (backward.isPrecise(i)) {
                double factor = probabilities[i] / backward.sum(i);
                for (int j = 0; j < weights.length; j++) {
                    counts[from + j] += factor * (moves[from + j] * weights[j]);
                }
            } else if (probabilities[i] > 0) {
                for (int j = 0; j < states; j++) {
                    counts[from + j] += probabilities[i] * backward.share(i, j);
                }
            }
        }
    }

    /** Returns the probability of each state at each step, or null if the sequence is impossible. */
    double[] posterior(int steps, Densities of) {
        double[] rows = new double[steps * states];
        if (fill(rows, steps, of) == Double.NEGATIVE_INFINITY) {
            return null;
        }
        backward(rows, steps, of, (t, probabilities) -> {
            for (int i = 0; i < states; i++) {
                rows[t * states + i] = probabilities[i] < Forward.MIN_PROBABILITY ? 0 : probabilities[i];
            }
        });
        return rows;
    }
}
