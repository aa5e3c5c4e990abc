package dev.bellman.markov;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Computes the total weight of all state sequences by the forward and backward recurrences.
 *
 * <pre>{@code
 * f(0, j) = start(j) * emission(0, j)
 * f(t, j) = (sum over i of f(t - 1, i) * transition(i, j)) * emission(t, j)
 * b(T - 1, i) = 1
 * b(t, i) = sum over j of (emission(t + 1, j) * b(t + 1, j)) * transition(i, j)
 * }</pre>
 *
 * <p>Sums add their terms in the order of the states. {@code auto} stores the numbers of a step as doubles with a
 * common exponent, unless their magnitudes or those in the model differ greatly; otherwise, numbers are {@link Wide}.
 * The results are bit-for-bit the same, since scaling by a power of two causes no rounding.
 */
final class Forward {
    /**
     * The minimum ratio of a number to the largest number of its step for which doubles suffice. Smaller ratios, and
     * very small or very large entries of the model, need {@link Wide}.
     */
    private static final double MIN = 0x1p-500;

    /** The minimum positive probability; smaller probabilities are returned as 0. */
    static final double MIN_PROBABILITY = 1e-300;

    private static final int BYTES_OF_A_WIDE = 40;

    private final HiddenMarkov model;
    private final int states;
    private final Cancellation cancellation = new Cancellation();
    /** The sum of the exponents by which the previous rows were scaled. */
    private long exponent;

    private Forward(HiddenMarkov model) {
        this.model = model;
        states = model.states();
    }

    /** Returns the logarithm of the total weight of all state sequences. */
    static double logWeight(HiddenMarkov model, HiddenMarkov.Strategy strategy) {
        if (strategy == HiddenMarkov.Strategy.AUTO && isNarrow(model)) {
            Forward narrow = new Forward(model.ofWeights());
            double[] row = new double[model.states()];
            if (narrow.fill(row, false)) {
                return Wide.of(Arrays.stream(row).reduce(0, Double::sum), narrow.exponent)
                        .log();
            }
        }
        Forward forward = new Forward(model);
        Wide[] row = forward.wideForward(new Wide[model.states()], false);
        return Arrays.stream(row).reduce(Wide.ZERO, Wide::plus).log();
    }

    /** Returns the probability of each state at each step, or null if every state sequence has weight 0. */
    static double[] posterior(HiddenMarkov model, HiddenMarkov.Strategy strategy) {
        Forward forward = new Forward(model);
        int cells = model.steps() * model.states();
        forward.take((long) Double.BYTES * cells);
        if (strategy == HiddenMarkov.Strategy.AUTO && isNarrow(model)) {
            Forward narrow = new Forward(model.ofWeights());
            double[] rows = new double[cells];
            if (narrow.fill(rows, true) && narrow.backward(rows)) {
                return rows;
            }
        }
        forward.take((long) BYTES_OF_A_WIDE * cells);
        return forward.wideBackward(forward.wideForward(new Wide[cells], true));
    }

    private void take(long bytes) {
        TaskMemory.take(bytes, () -> "the table for %,d steps by %,d states".formatted(model.steps(), states));
    }

    private static boolean isNarrow(HiddenMarkov model) {
        return Stream.of(model.start(), model.transitions(), model.emissions())
                .allMatch(numbers -> Arrays.stream(numbers).allMatch(model::isNarrow));
    }

    /**
     * Computes the rows of {@code f}.
     *
     * @param all whether {@code rows} stores all rows rather than only the last row
     * @return false if the magnitudes of a step's numbers differ too much
     */
    private boolean fill(double[] rows, boolean all) {
        double[] before = model.start();
        double[] row = new double[states];
        for (int t = 0; t < model.steps(); t++) {
            if (t == 0) {
                System.arraycopy(before, 0, row, 0, states);
            } else {
                multiply(before, model.transitions(), row);
            }
            times(row, model.emission(t));
            if (!scale(row)) {
                return false;
            }
            System.arraycopy(row, 0, rows, all ? t * states : 0, states);
            double[] free = t == 0 ? new double[states] : before;
            before = row;
            row = free;
        }
        return true;
    }

    /** Replaces the rows of {@code f} with probabilities; returns false if doubles do not suffice. */
    private boolean backward(double[] rows) {
        double[] turned = HiddenMarkov.transposed(model.transitions(), states, states);
        double[] behind = new double[states];
        double[] row = new double[states];
        Arrays.fill(row, 1);
        for (int t = model.steps() - 1; t >= 0; t--) {
            if (t < model.steps() - 1) {
                double[] free = behind;
                behind = row;
                row = free;
                times(behind, model.emission(t + 1));
                multiply(behind, turned, row);
                if (!scale(row)) {
                    return false;
                }
            }
            double sum = 0;
            int first = t * states;
            for (int i = 0; i < states; i++) {
                rows[first + i] *= row[i];
                sum += rows[first + i];
            }
            if (sum == 0) {
                return false;
            }
            for (int i = 0; i < states; i++) {
                double probability = rows[first + i] / sum;
                rows[first + i] = probability < MIN_PROBABILITY ? 0 : probability;
            }
        }
        return true;
    }

    /** Multiplies a row by a matrix; each sum adds its terms in the order of the row. */
    private void multiply(double[] row, double[] matrix, double[] product) {
        cancellation.count((long) states * states);
        Arrays.fill(product, 0);
        for (int i = 0; i < states; i++) {
            double x = row[i];
            int from = i * states;
            for (int j = 0; j < product.length; j++) {
                product[j] += x * matrix[from + j];
            }
        }
    }

    private void times(double[] row, int emission) {
        for (int j = 0; j < states; j++) {
            row[j] *= model.emissions()[emission + j];
        }
    }

    /** Divides all numbers by a power of two; returns false if a number is too small relative to the largest. */
    private boolean scale(double... row) {
        double greatest = 0;
        for (double x : row) {
            greatest = Math.max(greatest, x);
        }
        if (greatest == 0) {
            return true;
        }
        int shift = Math.getExponent(greatest);
        exponent += shift;
        double factor = Math.scalb(1.0, -shift);
        boolean near = true;
        for (int j = 0; j < row.length; j++) {
            double scaled = row[j] * factor;
            near &= row[j] == 0 || scaled >= MIN;
            row[j] = scaled;
        }
        return near;
    }

    private Wide[] wideForward(Wide[] rows, boolean all) {
        Wide[] start = wide(model.start());
        Wide[] moves = wide(model.transitions());
        Wide[] before = start;
        for (int t = 0; t < model.steps(); t++) {
            Wide[] row = t == 0 ? start : product(before, moves);
            for (int j = 0; j < states; j++) {
                row[j] = row[j].times(model.weight(model.emissions()[model.emission(t) + j]));
            }
            System.arraycopy(row, 0, rows, all ? t * states : 0, states);
            before = row;
        }
        return rows;
    }

    private double[] wideBackward(Wide[] rows) {
        Wide[] turned = wide(HiddenMarkov.transposed(model.transitions(), states, states));
        Wide[] row = new Wide[states];
        Arrays.fill(row, Wide.ONE);
        double[] probabilities = new double[rows.length];
        for (int t = model.steps() - 1; t >= 0; t--) {
            if (t < model.steps() - 1) {
                for (int j = 0; j < states; j++) {
                    row[j] = model.weight(model.emissions()[model.emission(t + 1) + j])
                            .times(row[j]);
                }
                row = product(row, turned);
            }
            Wide sum = Wide.ZERO;
            for (int i = 0; i < states; i++) {
                rows[t * states + i] = rows[t * states + i].times(row[i]);
                sum = sum.plus(rows[t * states + i]);
            }
            if (sum.mantissa() == 0) {
                return null;
            }
            for (int i = 0; i < states; i++) {
                probabilities[t * states + i] = rows[t * states + i].dividedBy(sum, MIN_PROBABILITY);
            }
        }
        return probabilities;
    }

    private Wide[] product(Wide[] row, Wide... matrix) {
        cancellation.count(16L * states * states);
        Wide[] product = new Wide[states];
        Arrays.fill(product, Wide.ZERO);
        for (int i = 0; i < states; i++) {
            for (int j = 0; j < states; j++) {
                product[j] = product[j].plus(row[i].times(matrix[i * states + j]));
            }
        }
        return product;
    }

    private Wide[] wide(double... values) {
        take((long) BYTES_OF_A_WIDE * values.length);
        return Arrays.stream(values).mapToObj(model::weight).toArray(Wide[]::new);
    }
}
