package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Fits a hidden Markov model to sequences by expectation and maximization (L. E. Baum and others, 1970), scaled as by
 * L. R. Rabiner (A Tutorial on Hidden Markov Models, 1989).
 *
 * <pre>{@code
 * f(t, j) = (sum over i of f(t - 1, i) * transition(i, j)) * emission(j, x(t)), divided by the sum s(t) of all j
 * c(t, j) = emission(j, x(t)) * b(t, j)
 * r(t, i) = sum over j of transition(i, j) * c(t + 1, j);  r(T - 1, i) = 1
 * b(t, i) = r(t, i), divided by the sum of all i
 * w(t, i) = f(t, i) / (sum over i of f(t, i) * r(t, i))
 * }</pre>
 *
 * <p>The probability of state i at step t is {@code w(t, i) * r(t, i)}; that of a transition from i to j is
 * {@code w(t, i) * c(t + 1, j) * transition(i, j)}, where the last factor is applied to the sum of all steps. Sums are
 * in the order of the states, sums over steps go from the last step to the first, and sequences are processed in order,
 * which defines the result bit for bit. The probability of a sequence is the product of all s(t).
 */
final class BaumWelch {
    /** The smallest sum by which probabilities are divided. A smaller sum may consist of rounded numbers. */
    static final double MIN_SUM = 1e-290;

    /** The number of bytes per entry of a model, including counts, the result, and its copies in Spark. */
    private static final int BYTES_OF_AN_ENTRY = 120;

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final String function;
    private final boolean byRows;
    private final int states;
    private final int letters;
    private final double[] start;
    /** The transitions, and the same with rows and columns exchanged. */
    private final double[] moves;

    private double[] movesInto;
    /** A row for each symbol, with an entry for each state. */
    private final double[] emissions;

    private final double[] startCounts;
    private final double[] moveCounts;
    private final double[] emissionCounts;
    private final Cancellation cancellation = new Cancellation();

    /**
     * Starts with a model. The arrays are overwritten.
     *
     * @param emissions a row for each symbol, with the probability of the symbol in each state
     */
    BaumWelch(
            String function, double[] start, double[] transitions, double[] emissions, HiddenMarkov.Strategy strategy) {
        this.function = function;
        byRows = strategy == HiddenMarkov.Strategy.AUTO;
        states = start.length;
        letters = emissions.length / states;
        this.start = start;
        moves = transitions;
        this.emissions = emissions;
        startCounts = new double[states];
        moveCounts = new double[moves.length];
        emissionCounts = new double[emissions.length];
    }

    /** Reserves memory for a model. */
    static void takeModel(String function, int states, int letters) {
        HiddenMarkov.mustFit(function, "transitions", states, states);
        HiddenMarkov.mustFit(function, "emissions", states, letters);
        TaskMemory.take(
                function,
                BYTES_OF_AN_ENTRY * ((long) states * (states + 1L) + (long) states * letters),
                "",
                () -> "a model with %,d states and %,d symbols".formatted(states, letters));
    }

    /**
     * Starts with random probabilities: first the start, then the transitions, then the emissions of each state. All
     * distributions are equally likely (each probability is an exponentially distributed number, divided by the sum of
     * its row). The generator is SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, 2014).
     */
    static BaumWelch random(String function, int states, int letters, long seed, HiddenMarkov.Strategy strategy) {
        double[] all = new double[states + states * states + states * letters];
        long state = seed;
        for (int i = 0; i < all.length; i++) {
            state += GOLDEN_GAMMA;
            long mixed = (state ^ state >>> 30) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
            all[i] = -StrictMath.log(1 - ((mixed ^ mixed >>> 31) >>> 11) * 0x1p-53);
        }
        double[] start = Arrays.copyOf(all, states);
        double[] transitions = Arrays.copyOfRange(all, states, states + states * states);
        double[] emissions = Arrays.copyOfRange(all, states + states * states, all.length);
        divideBySums(start, start, states);
        divideBySums(transitions, transitions, states);
        divideBySums(emissions, emissions, letters);
        return new BaumWelch(
                function, start, transitions, HiddenMarkov.transposed(emissions, states, letters), strategy);
    }

    /**
     * Replaces the model with one in which the sequences are at least as likely.
     *
     * @return the logarithm of the probability of all sequences in the previous model
     */
    double improve(int[]... sequences) {
        Arrays.fill(startCounts, 0);
        Arrays.fill(moveCounts, 0);
        Arrays.fill(emissionCounts, 0);
        movesInto = HiddenMarkov.transposed(moves, states, states);
        double sum = 0;
        for (int i = 0; i < sequences.length; i++) {
            sum += count(i, sequences[i]);
        }
        for (int i = 0; i < moveCounts.length; i++) {
            moveCounts[i] *= moves[i];
        }
        divideBySums(startCounts, start, states);
        divideBySums(moveCounts, moves, states);
        double[] counts = HiddenMarkov.transposed(emissionCounts, letters, states);
        double[] table = HiddenMarkov.transposed(emissions, letters, states);
        divideBySums(counts, table, letters);
        System.arraycopy(HiddenMarkov.transposed(table, states, letters), 0, emissions, 0, emissions.length);
        return sum;
    }

    /** Adds the expected counts of a sequence, and returns the logarithm of its probability. */
    private double count(int index, int... symbols) {
        double[] f = new double[symbols.length * states];
        final double logProbability = forward(index, f, symbols);
        double[] r = new double[states];
        double[] c = new double[states];
        double[] w = new double[states];
        for (int t = symbols.length - 1; t >= 0; t--) {
            if (t == symbols.length - 1) {
                Arrays.fill(r, 1);
            } else {
                multiply(c, movesInto, r);
            }
            double sum = 0;
            for (int i = 0; i < states; i++) {
                sum += f[t * states + i] * r[i];
            }
            mustBePossible(index, sum);
            for (int i = 0; i < states; i++) {
                w[i] = f[t * states + i] / sum;
                emissionCounts[symbols[t] * states + i] += w[i] * r[i];
            }
            for (int i = 0; i < states && t < symbols.length - 1; i++) {
                for (int j = 0; j < states; j++) {
                    moveCounts[i * states + j] += w[i] * c[j];
                }
            }
            double all = 0;
            for (int i = 0; i < states; i++) {
                startCounts[i] += t == 0 ? w[i] * r[i] : 0;
                all += r[i];
            }
            mustBePossible(index, all);
            for (int j = 0; j < states; j++) {
                c[j] = emissions[symbols[t] * states + j] * (r[j] / all);
            }
        }
        return logProbability;
    }

    private double forward(int index, double[] f, int... symbols) {
        Wide probability = Wide.ONE;
        double[] before = start;
        double[] row = new double[states];
        for (int t = 0; t < symbols.length; t++) {
            if (t == 0) {
                System.arraycopy(start, 0, row, 0, states);
            } else {
                multiply(before, moves, row);
            }
            double sum = 0;
            for (int j = 0; j < states; j++) {
                row[j] *= emissions[symbols[t] * states + j];
                sum += row[j];
            }
            mustBePossible(index, sum);
            for (int j = 0; j < states; j++) {
                row[j] /= sum;
            }
            probability = probability.times(Wide.of(sum));
            System.arraycopy(row, 0, f, t * states, states);
            double[] free = t == 0 ? new double[states] : before;
            before = row;
            row = free;
        }
        return probability.log();
    }

    /** Multiplies a row by a matrix; each sum is in the order of the row. */
    private void multiply(double[] row, double[] matrix, double[] product) {
        cancellation.count((long) states * states);
        Arrays.fill(product, 0);
        if (byRows) {
            for (int i = 0; i < states; i++) {
                double x = row[i];
                int from = i * states;
                for (int j = 0; j < product.length; j++) {
                    product[j] += x * matrix[from + j];
                }
            }
        } else {
            for (int j = 0; j < states; j++) {
                for (int i = 0; i < states; i++) {
                    product[j] += row[i] * matrix[i * states + j];
                }
            }
        }
    }

    private void mustBePossible(int index, double sum) {
        if (!(sum >= MIN_SUM)) {
            throw BellmanException.inRow(
                    function,
                    "sequence %,d (counted from 1) is impossible or almost impossible in the model"
                            .formatted(index + 1));
        }
    }

    /** Divides each row of a matrix by its sum. A row whose sum is 0 does not change. */
    private static void divideBySums(double[] counts, double[] probabilities, int width) {
        for (int from = 0; from < counts.length; from += width) {
            double sum = 0;
            for (int j = from; j < from + width; j++) {
                sum += counts[j];
            }
            for (int j = from; j < from + width && sum > 0; j++) {
                probabilities[j] = counts[j] / sum;
            }
        }
    }

    double[] start() {
        return start;
    }

    double[][] transitions() {
        return rows(moves, states);
    }

    /** Returns a row for each state, with the probability of each symbol. */
    double[][] emissions() {
        return rows(HiddenMarkov.transposed(emissions, letters, states), letters);
    }

    private static double[][] rows(double[] matrix, int width) {
        double[][] rows = new double[matrix.length / width][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(matrix, i * width, (i + 1) * width));
        return rows;
    }
}
