package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * A hidden Markov model and a sequence.
 *
 * @param start a weight for each state
 * @param transitions for each state, the weights of the transitions to each state
 * @param emissions the emission rows, each with a weight for each state
 * @param rows the row of emissions for each step; null if each step has a separate row, in order
 */
record HiddenMarkov(int states, int steps, double[] start, double[] transitions, double[] emissions, int[] rows) {
    /** The strategies of all functions on hidden Markov models. */
    public enum Strategy {
        /** Uses loops over rows of the model, which compile to vector instructions. */
        AUTO,
        /** Computes the recurrences exactly as documented. */
        SERIAL
    }

    private static final int MAX_NUMBERS = Integer.MAX_VALUE - 8;

    /** Returns the index of the first emission of a step. */
    int emission(int step) {
        return (rows == null ? step : rows[step]) * states;
    }

    /**
     * Copies the arguments of a call.
     *
     * @param symbols the symbol of each step, for which each state has a row of emissions; null if emissions have a row
     *     for each step
     */
    static HiddenMarkov of(
            String function, ArrayData start, ArrayData transitions, ArrayData emissions, ArrayData symbols) {
        double[] first = start(function, start, Double.MAX_VALUE);
        int states = first.length;
        double[] moves = matrix(function, "transitions", transitions, states, states, Double.MAX_VALUE);
        if (symbols == null) {
            double[] given = matrix(function, "emissions", emissions, -1, states, Double.MAX_VALUE);
            return checked(function, new HiddenMarkov(states, given.length / states, first, moves, given, null));
        }
        double[] table = matrix(function, "emissions", emissions, states, -1, Double.MAX_VALUE);
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
        return checked(function, new HiddenMarkov(states, count, first, moves, turned, symbols.toIntArray()));
    }

    private static HiddenMarkov checked(String function, HiddenMarkov model) {
        if (model.steps == 0) {
            throw BellmanException.inRow(function, "the sequence is empty; it needs at least one step");
        }
        if ((long) model.steps * model.states > MAX_NUMBERS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: the table for %,d steps by %,d states exceeds %,d numbers, the limit for one row"
                            .formatted(function, model.steps, model.states, MAX_NUMBERS));
        }
        return model;
    }

    /**
     * Copies the weights of the initial states.
     *
     * @param largest the largest allowed weight: 1 or {@link Double#MAX_VALUE}
     */
    static double[] start(String function, ArrayData array, double largest) {
        double[] start = ArrayArguments.doubles(
                function, "start", array, weight -> weight >= 0 && weight <= largest, expected(largest));
        if (start.length == 0) {
            throw BellmanException.inRow(function, "start is empty; a model needs at least one state");
        }
        return start;
    }

    private static String expected(double largest) {
        return largest == 1 ? "a number from 0 to 1" : "a finite number of at least 0";
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
     * Copies a matrix, row after row.
     *
     * @param rows the required number of rows; negative if any number is allowed
     * @param columns the required number of columns; negative if the first row determines it
     * @param largest the largest allowed number: 1 or {@link Double#MAX_VALUE}
     */
    static double[] matrix(String function, String name, ArrayData array, int rows, int columns, double largest) {
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
                                : "of %,d numbers".formatted(array.getArray(i).numElements()),
                        "an array of %,d".formatted(width));
            }
            ArrayData row = array.getArray(i);
            for (int j = 0; j < width; j++) {
                if (row.isNullAt(j) || !(row.getDouble(j) >= 0 && row.getDouble(j) <= largest)) {
                    throw ArrayArguments.invalid(
                            function,
                            "row %,d of %s".formatted(i + 1, name),
                            j,
                            row.isNullAt(j) ? "NULL" : row.getDouble(j),
                            expected(largest));
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
