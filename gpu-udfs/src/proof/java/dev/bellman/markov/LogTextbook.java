package dev.bellman.markov;

import static dev.bellman.proof.Values.require;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Computes complete tables of logarithms for the states of a model, as {@link LogForward} defines them. A row of
 * densities contains the logarithm of the density of a step in each state.
 */
final class LogTextbook {
    /** Whether the start and the transitions are natural logarithms. */
    final boolean logs;

    final double[] start;
    final double[][] transitions;

    LogTextbook(boolean logs, double[] start, double[]... transitions) {
        this.logs = logs;
        this.start = start;
        this.transitions = transitions;
    }

    static LogTextbook of(ArrayData start, ArrayData transitions, boolean logs) {
        require(!Values.hasNull(transitions));
        double[] first = probabilities(start, logs);
        double[][] moves = new double[transitions.numElements()][];
        Arrays.setAll(moves, i -> probabilities(transitions.getArray(i), logs));
        require(first.length > 0 && moves.length == first.length);
        require(Arrays.stream(moves).allMatch(row -> row.length == first.length));
        return new LogTextbook(logs, first, moves);
    }

    static double[] probabilities(ArrayData array, boolean logs) {
        require(!Values.hasNull(array));
        return Arrays.stream(array.toDoubleArray())
                .peek(p -> require(logs ? p == Double.NEGATIVE_INFINITY || p >= -1e9 && p <= 0 : p >= 0 && p <= 1))
                // turns the logarithm -0.0 into 0.0
                .map(p -> logs ? p + 0.0 : p)
                .toArray();
    }

    int states() {
        return start.length;
    }

    /** Returns a probability of the model, converted from a logarithm if {@link #logs} is true. */
    double weight(double probability) {
        return logs ? StrictMath.exp(probability) : probability;
    }

    /** Returns the logarithm of a probability of the model, which may already be a logarithm. */
    double log(double probability) {
        return logs ? probability : StrictMath.log(probability);
    }

    /** Returns {@code log(sum of exp(row(i)) * weight(probabilities(i)))}. */
    double logOfSum(double[] row, double... probabilities) {
        double sum = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < row.length; i++) {
            sum += StrictMath.exp(row[i]) * weight(probabilities[i]);
            most = Math.max(most, row[i] + log(probabilities[i]));
        }
        if (sum >= 1e-290 || most == Double.NEGATIVE_INFINITY) {
            return StrictMath.log(sum);
        }
        double scaled = 0;
        for (int i = 0; i < row.length; i++) {
            scaled += StrictMath.exp(row[i] + log(probabilities[i]) - most);
        }
        return most + StrictMath.log(scaled);
    }

    private double[] into(int state) {
        return Arrays.stream(transitions).mapToDouble(row -> row[state]).toArray();
    }

    static double max(double... row) {
        return Arrays.stream(row).max().orElseThrow();
    }

    private static double[] plus(double[] a, double... b) {
        return IntStream.range(0, a.length).mapToDouble(j -> a[j] + b[j]).toArray();
    }

    private static double[] minus(double[] row, double x) {
        return Arrays.stream(row).map(each -> each - x).toArray();
    }

    /** Returns logarithms relative to the largest of them. */
    private static double[] relative(double... row) {
        return minus(row, max(row));
    }

    /** Returns the largest log-density of the states whose entries in {@code logs} are larger than -Infinity. */
    private static double densest(double[] logs, double... densities) {
        return IntStream.range(0, logs.length)
                .filter(j -> logs[j] > Double.NEGATIVE_INFINITY)
                .mapToDouble(j -> densities[j])
                .max()
                .orElse(Double.NEGATIVE_INFINITY);
    }

    /** Returns, for each step, the states from which transitions lead to the last step. */
    private List<Set<Integer>> withoutDeadEnds(int steps) {
        List<Set<Integer>> sets = new ArrayList<>(Collections.nCopies(steps, Set.of()));
        for (int t = steps - 1; t >= 0; t--) {
            Set<Integer> next = t == steps - 1 ? null : sets.get(t + 1);
            Set<Integer> set = new HashSet<>();
            for (int i = 0; i < states(); i++) {
                double[] row = transitions[i];
                if (next == null || next.stream().anyMatch(j -> log(row[j]) > Double.NEGATIVE_INFINITY)) {
                    set.add(i);
                }
            }
            sets.set(t, set);
        }
        return sets;
    }

    /** Fills the table {@code f}, and returns the logarithm of the density of the sequence. */
    double forward(double[][] f, double[]... densities) {
        double sum = 0;
        List<Set<Integer>> alive = withoutDeadEnds(densities.length);
        for (int t = 0; t < densities.length; t++) {
            double[] reached = new double[states()];
            for (int j = 0; j < reached.length; j++) {
                double log = t == 0 ? log(start[j]) : logOfSum(f[t - 1], into(j));
                reached[j] = alive.get(t).contains(j) ? log : Double.NEGATIVE_INFINITY;
            }
            if (max(plus(reached, densities[t])) == Double.NEGATIVE_INFINITY) {
                return Double.NEGATIVE_INFINITY;
            }
            double densest = densest(reached, densities[t]);
            double[] u = plus(reached, minus(densities[t], densest));
            f[t] = relative(u);
            sum += densest + max(u);
        }
        double last = 0;
        for (double each : f[f.length - 1]) {
            last += StrictMath.exp(each);
        }
        return sum + StrictMath.log(last);
    }

    /** Returns the table {@code r}, given {@code f}. */
    double[][] backward(double[][] f, double[]... densities) {
        double[][] r = new double[densities.length][states()];
        for (int t = densities.length - 2; t >= 0; t--) {
            double[] b = after(f[t + 1], r[t + 1], densities[t + 1]);
            for (int i = 0; i < states(); i++) {
                r[t][i] = logOfSum(b, transitions[i]);
            }
        }
        return r;
    }

    /** Returns {@code b} at a step, given {@code f}, {@code r} and the densities of this step. */
    static double[] after(double[] f, double[] r, double... densities) {
        double[] possible = IntStream.range(0, f.length)
                .mapToDouble(j -> f[j] == Double.NEGATIVE_INFINITY ? f[j] : r[j])
                .toArray();
        return relative(plus(possible, minus(densities, densest(possible, densities))));
    }

    /** Returns the probabilities of the states at a step, given {@code f} and {@code r}. */
    static double[] probabilities(double[] f, double... r) {
        double[] weights =
                Arrays.stream(relative(plus(f, r))).map(StrictMath::exp).toArray();
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        double all = sum;
        return Arrays.stream(weights).map(weight -> weight / all).toArray();
    }

    Object posterior(double[]... densities) {
        double[][] f = new double[densities.length][];
        require(forward(f, densities) > Double.NEGATIVE_INFINITY);
        double[][] r = backward(f, densities);
        return Values.arrayOf(IntStream.range(0, f.length)
                .mapToObj(t -> Values.array(Arrays.stream(probabilities(f[t], r[t]))
                        .map(p -> p < Forward.MIN_PROBABILITY ? 0 : p)
                        .toArray()))
                .toArray());
    }

    /**
     * Decodes the sequence. At each step, the largest log-density of any state on a possible path is subtracted from
     * the emissions. The sum of these maxima is added to the result.
     */
    Object viterbi(double[]... densities) {
        int[][] possible = possible(densities.length);
        List<Set<Integer>> alive = withoutDeadEnds(densities.length);
        double[] most = IntStream.range(0, densities.length)
                .mapToDouble(t -> IntStream.of(possible[t])
                        .filter(alive.get(t)::contains)
                        .mapToDouble(j -> densities[t][j])
                        .max()
                        .orElseThrow(Values::invalid))
                .toArray();
        InternalRow path = MarkovTextbook.viterbi(
                logs(start),
                Stream.of(transitions).map(this::logs).toArray(double[][]::new),
                IntStream.range(0, densities.length)
                        .mapToObj(t -> minus(densities[t], most[t]))
                        .toArray(double[][]::new));
        double sum = 0;
        for (double each : most) {
            sum += each;
        }
        return Values.row(path.getDouble(0) + sum, path.getArray(1));
    }

    /** Returns, for each step, the states that a sequence may be in, whatever its values are. */
    private int[][] possible(int steps) {
        int[][] possible = new int[steps][];
        for (int t = 0; t < steps; t++) {
            double[][] into = t == 0
                    ? new double[][] {start}
                    : IntStream.of(possible[t - 1])
                            .mapToObj(i -> transitions[i])
                            .toArray(double[][]::new);
            possible[t] = IntStream.range(0, start.length)
                    .filter(j -> Stream.of(into).anyMatch(row -> log(row[j]) > Double.NEGATIVE_INFINITY))
                    .toArray();
        }
        return possible;
    }

    private double[] logs(double... probabilities) {
        return Arrays.stream(probabilities).map(this::log).toArray();
    }
}
