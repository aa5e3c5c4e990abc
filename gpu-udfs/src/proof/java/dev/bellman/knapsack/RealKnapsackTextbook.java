package dev.bellman.knapsack;

import static dev.bellman.proof.Values.invalid;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Defines the functions with DOUBLE values by the recurrence, with each value computed once. */
final class RealKnapsackTextbook {
    /** The value that means that no choice fits. */
    private static final double NONE = -1;

    private record Cell(int classes, long capacity) {}

    private final long[][] weights;
    private final double[][] worth;
    private final Map<Cell, Double> values = new HashMap<>();

    private RealKnapsackTextbook(long[][] weights, double[][] worth) {
        this.weights = weights;
        this.worth = worth;
    }

    /** Returns the maximum value of the first classes. */
    private double value(int count, long capacity) {
        if (count == 0) {
            return 0;
        }
        Cell cell = new Cell(count, capacity);
        Double known = values.get(cell);
        if (known == null) {
            known = IntStream.range(0, weights[count - 1].length)
                    .mapToDouble(option -> value(count, capacity, option))
                    .max()
                    .orElseThrow();
            values.put(cell, known);
        }
        return known;
    }

    /** Returns the maximum value of the first classes, given the option that is chosen in the last of these classes. */
    private double value(int count, long capacity, int option) {
        long weight = weights[count - 1][option];
        double before = weight > capacity ? NONE : value(count - 1, capacity - weight);
        return before < 0 ? NONE : before + worth[count - 1][option];
    }

    /**
     * Returns, for the last class, the first option with the maximum value, then for the class before it, and so on.
     */
    private int[] choices(long capacity) {
        int[] choices = new int[weights.length];
        long left = capacity;
        for (int count = choices.length; count > 0; count--) {
            double best = value(count, left);
            if (best < 0) {
                throw invalid();
            }
            while (value(count, left, choices[count - 1]) != best) {
                choices[count - 1]++;
            }
            left -= weights[count - 1][choices[count - 1]];
        }
        return choices;
    }

    private static long[] weights(ArrayData array) {
        if (Values.hasNull(array) || Arrays.stream(array.toLongArray()).anyMatch(weight -> weight < 0)) {
            throw invalid();
        }
        return array.toLongArray();
    }

    private static double[] values(ArrayData array, int weights) {
        if (array.numElements() != weights
                || Values.hasNull(array)
                || !Arrays.stream(array.toDoubleArray()).allMatch(value -> value >= 0 && value <= 1e100)) {
            throw invalid();
        }
        return array.toDoubleArray();
    }

    private static long capacity(InternalRow row) {
        if (row.getLong(2) < 0) {
            throw invalid();
        }
        return row.getLong(2);
    }

    static Object knapsack(InternalRow row) {
        long[] weights = weights(row.getArray(0));
        double[] values = values(row.getArray(1), weights.length);
        RealKnapsackTextbook textbook = new RealKnapsackTextbook(
                Arrays.stream(weights)
                        .mapToObj(weight -> new long[] {0, weight})
                        .toArray(long[][]::new),
                Arrays.stream(values).mapToObj(value -> new double[] {0, value}).toArray(double[][]::new));
        long capacity = capacity(row);
        int[] choices = textbook.choices(capacity);
        int[] taken =
                IntStream.range(0, choices.length).filter(i -> choices[i] == 1).toArray();
        return Values.row(textbook.value(choices.length, capacity), Values.array(taken));
    }

    static Object multipleChoice(InternalRow row) {
        ArrayData classes = row.getArray(0);
        ArrayData values = row.getArray(1);
        if (values.numElements() != classes.numElements() || Values.hasNull(classes) || Values.hasNull(values)) {
            throw invalid();
        }
        long[][] weights = new long[classes.numElements()][];
        double[][] worth = new double[weights.length][];
        for (int k = 0; k < weights.length; k++) {
            weights[k] = weights(classes.getArray(k));
            worth[k] = values(values.getArray(k), weights[k].length);
            if (weights[k].length == 0) {
                throw invalid();
            }
        }
        RealKnapsackTextbook textbook = new RealKnapsackTextbook(weights, worth);
        long capacity = capacity(row);
        int[] choices = textbook.choices(capacity);
        return Values.row(textbook.value(choices.length, capacity), Values.array(choices));
    }
}
