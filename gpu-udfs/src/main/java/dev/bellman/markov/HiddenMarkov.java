package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * A hidden Markov model and a sequence.
 *
 * @param start a weight for each state
 * @param transitions for each state, the weights of the transitions to each state
 * @param emissions the emission rows, each with a weight for each state
 * @param rows the row of emissions for each step; null if each step has a separate row, in order
 * @param kind whether the model contains weights or their natural logarithms
 */
record HiddenMarkov(
        int states, int steps, double[] start, double[] transitions, double[] emissions, int[] rows, Kind kind) {
    /** The strategies of all functions on hidden Markov models. */
    public enum Strategy {
        /**
         * Uses loops over rows of the model, which compile to vector instructions, and doubles instead of {@link Wide}
         * if they suffice.
         */
        AUTO,
        /** Computes the recurrences exactly as documented. */
        SERIAL
    }

    /** Determines which numbers an argument may contain. */
    enum Kind {
        PROBABILITIES("a number from 0 to 1"),
        WEIGHTS("a finite, nonnegative number"),
        LOGARITHMS("from -1e9 to 1e9, or -Infinity"),
        LOG_PROBABILITIES("from -1e9 to 0, or -Infinity"),
        NUMBERS("a finite number"),
        VALUES("a number from -1e100 to 1e100");

        /**
         * The maximum magnitude of a logarithm. Larger magnitudes indicate errors; the limit keeps exponents far below
         * 64 bits.
         */
        private static final double MAX_MAGNITUDE = 1e9;

        private final String expected;

        Kind(String expected) {
            this.expected = expected;
        }

        private boolean allows(double number) {
            return switch (this) {
                case PROBABILITIES -> number >= 0 && number <= 1;
                case WEIGHTS -> number >= 0 && number <= Double.MAX_VALUE;
                case LOGARITHMS -> Math.abs(number) <= MAX_MAGNITUDE || number == Double.NEGATIVE_INFINITY;
                case LOG_PROBABILITIES -> number <= 0 && LOGARITHMS.allows(number);
                case NUMBERS -> Double.isFinite(number);
                case VALUES -> GaussianModel.isValue(number);
            };
        }
    }

    private static final double MIN_NARROW = 0x1p-250;
    private static final double MAX_NARROW = 0x1p250;
    /** A bound slightly below the natural logarithm of 2^250. */
    private static final double MAX_NARROW_LOG = 173;

    private static final int MAX_NUMBERS = Integer.MAX_VALUE - 8;

    /** Returns the index of the first emission of a step. */
    int emission(int step) {
        return (rows == null ? step : rows[step]) * states;
    }

    /** Returns the natural logarithm of a number of the model. */
    double log(double number) {
        // turns -0.0 into 0.0
        return kind == Kind.LOGARITHMS ? number + 0.0 : StrictMath.log(number);
    }

    /** Whether a number's weight is 0 or between 2^-250 and 2^250. */
    boolean isNarrow(double number) {
        return kind == Kind.LOGARITHMS
                ? Math.abs(number) <= MAX_NARROW_LOG || number == Double.NEGATIVE_INFINITY
                : number == 0 || number >= MIN_NARROW && number <= MAX_NARROW;
    }

    /** Returns the model with weights instead of logarithms; all numbers must satisfy {@link #isNarrow}. */
    HiddenMarkov ofWeights() {
        if (kind != Kind.LOGARITHMS) {
            return this;
        }
        long numbers = (long) start.length + transitions.length + emissions.length;
        TaskMemory.take(Double.BYTES * numbers, () -> "a model with %,d numbers".formatted(numbers));
        return new HiddenMarkov(
                states, steps, weights(start), weights(transitions), weights(emissions), rows, Kind.WEIGHTS);
    }

    private static double[] weights(double... logs) {
        return Arrays.stream(logs).map(log -> Wide.exp(log).narrow()).toArray();
    }

    Wide weight(double number) {
        return kind == Kind.LOGARITHMS ? Wide.exp(number) : Wide.of(number);
    }

    /**
     * Copies and checks the arguments of a call.
     *
     * @param symbols the symbol of each step if {@code emissions} has a row for each state; null if it has a row for
     * each step
     */
    static HiddenMarkov of(
            String function,
            ArrayData start,
            ArrayData transitions,
            ArrayData emissions,
            ArrayData symbols,
            Kind kind) {
        double[] first = start(function, start, kind);
        int states = first.length;
        double[] moves = matrix(function, "transitions", transitions, states, states, kind);
        if (symbols == null) {
            double[] given = matrix(function, "emissions", emissions, -1, states, kind);
            return checked(function, new HiddenMarkov(states, given.length / states, first, moves, given, null, kind));
        }
        double[] table = matrix(function, "emissions", emissions, states, -1, kind);
        int letters = table.length / states;
        int count = symbols.numElements();
        TaskMemory.takeArgument(function, "symbols", count);
        for (int t = 0; t < count; t++) {
            if (symbols.isNullAt(t) || symbols.getInt(t) < 0 || symbols.getInt(t) >= letters) {
                throw ArrayArguments.invalid(
                        function,
                        "symbols",
                        t,
                        symbols.isNullAt(t) ? "NULL" : symbols.getInt(t),
                        "from 0 to %,d, because emissions has %,d columns".formatted(letters - 1, letters));
            }
        }
        double[] turned = transposed(table, states, letters);
        return checked(function, new HiddenMarkov(states, count, first, moves, turned, symbols.toIntArray(), kind));
    }

    private static HiddenMarkov checked(String function, HiddenMarkov model) {
        mustHaveSteps(function, model.steps, model.states);
        return model;
    }

    /** Fails if a sequence is empty, or too long for a table with this many states. */
    static void mustHaveSteps(String function, int steps, int states) {
        if (steps == 0) {
            throw BellmanException.inRow(function, "the sequence is empty; it needs at least one step");
        }
        if ((long) steps * states > MAX_NUMBERS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: the table for %,d steps by %,d states exceeds %,d numbers, the limit for one row"
                            .formatted(function, steps, states, MAX_NUMBERS));
        }
    }

    /** Copies and checks the start, which has a number for each state. */
    static double[] start(String function, ArrayData array, Kind kind) {
        double[] start = ArrayArguments.doubles(function, "start", array, kind::allows, kind.expected);
        if (start.length == 0) {
            throw BellmanException.inRow(function, "start is empty; a model needs at least one state");
        }
        return start;
    }

    /** Fails if a table has too many numbers. */
    static void mustFit(String function, String name, int rows, int columns) {
        if ((long) rows * columns > MAX_NUMBERS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: %s has %,d rows of %,d numbers; the maximum is %,d numbers in total"
                            .formatted(function, name, rows, columns, MAX_NUMBERS));
        }
    }

    /**
     * Copies and checks a matrix, row after row.
     *
     * @param rows the required number of rows; negative if any number is allowed
     * @param columns the required number of columns; negative if the first row determines it
     */
    static double[] matrix(String function, String name, ArrayData array, int rows, int columns, Kind kind) {
        int count = array.numElements();
        if (rows >= 0 && count != rows) {
            throw BellmanException.inRow(
                    function,
                    "%s has %,d rows, but start has %,d entries; the sizes must match".formatted(name, count, rows));
        }
        int width = columns >= 0
                ? columns
                : count == 0 || array.isNullAt(0) ? 0 : array.getArray(0).numElements();
        mustFit(function, name, count, width);
        TaskMemory.takeArgument(function, name, count * width);
        double[] values = new double[count * width];
        for (int i = 0; i < count; i++) {
            if (array.isNullAt(i) || array.getArray(i).numElements() != width) {
                throw ArrayArguments.invalid(
                        function,
                        name,
                        i,
                        array.isNullAt(i)
                                ? "NULL"
                                : "an array of size %,d"
                                        .formatted(array.getArray(i).numElements()),
                        "an array of size %,d".formatted(width));
            }
            ArrayData row = array.getArray(i);
            for (int j = 0; j < width; j++) {
                if (row.isNullAt(j) || !kind.allows(row.getDouble(j))) {
                    throw ArrayArguments.invalid(
                            function,
                            "row %,d of %s".formatted(i + 1, name),
                            j,
                            row.isNullAt(j) ? "NULL" : row.getDouble(j),
                            kind.expected);
                }
                values[i * width + j] = row.getDouble(j);
            }
        }
        return values;
    }

    static double[] transposed(double[] matrix, int rows, int columns) {
        double[] turned = new double[matrix.length];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                turned[j * rows + i] = matrix[i * columns + j];
            }
        }
        return turned;
    }
}
