package dev.bellman.knapsack;

import static dev.bellman.proof.Values.invalid;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Defines the knapsack functions with DOUBLE values by the recurrence, with each value computed once. */
final class RealKnapsackTextbook {
    /** Used as the value if no choice fits. */
    private static final double NONE = -1;

    private record Cell(int classes, long capacity) {}

    private final long[][] weights;
    private final double[][] worth;
    private final Map<Cell, Double> values = new HashMap<>();

    private RealKnapsackTextbook(long[][] weights, double[][] worth) {
        this.weights = weights;
        this.worth = worth;
    }

    /** Returns the maximum value of a choice from the first {@code count} classes that fits in the capacity. */
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

    /** Like {@link #value(int, long)}, but for a given option of the last of these classes. */
    private double value(int count, long capacity, int option) {
        long weight = weights[count - 1][option];
        double before = weight > capacity ? NONE : value(count - 1, capacity - weight);
        return before < 0 ? NONE : before + worth[count - 1][option];
    }

    /**
     * Returns the option chosen for each class. Options are chosen from the last class to the first: for each class,
     * the first option that leads to the maximum value.
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

    private static long capacity(InternalRow row, int place) {
        if (row.getLong(place) < 0) {
            throw invalid();
        }
        return row.getLong(place);
    }

    static Object knapsack(InternalRow row) {
        long[] weights = weights(row.getArray(0));
        double[] values = values(row.getArray(1), weights.length);
        RealKnapsackTextbook textbook = ofItems(weights, values);
        long capacity = capacity(row, 2);
        int[] choices = textbook.choices(capacity);
        int[] taken =
                IntStream.range(0, choices.length).filter(i -> choices[i] == 1).toArray();
        return Values.row(textbook.value(choices.length, capacity), Values.array(taken));
    }

    private static RealKnapsackTextbook ofItems(long[] weights, double... values) {
        return new RealKnapsackTextbook(
                Arrays.stream(weights)
                        .mapToObj(weight -> new long[] {0, weight})
                        .toArray(long[][]::new),
                Arrays.stream(values).mapToObj(value -> new double[] {0, value}).toArray(double[][]::new));
    }

    /** Solves the problem for groups of 1, 2, 4, ... copies of each item and the remaining copies that fit. */
    static Object bounded(InternalRow row) {
        long[] weights = weights(row.getArray(0));
        double[] values = values(row.getArray(1), weights.length);
        long[] counts = weights(row.getArray(2));
        long capacity = capacity(row, 3);
        if (counts.length != weights.length) {
            throw invalid();
        }
        List<Integer> items = new ArrayList<>();
        List<Long> sizes = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            long left = weights[i] == 0 ? counts[i] : Math.min(counts[i], capacity / weights[i]);
            for (long power = 1; left > 0; power *= 2) {
                long size = power < 0 ? left : Math.min(power, left);
                items.add(i);
                sizes.add(size);
                left -= size;
            }
        }
        int groups = items.size();
        RealKnapsackTextbook textbook = ofItems(
                IntStream.range(0, groups)
                        .mapToLong(g -> sizes.get(g) * weights[items.get(g)])
                        .toArray(),
                IntStream.range(0, groups)
                        .mapToDouble(g -> sizes.get(g) * values[items.get(g)])
                        .toArray());
        int[] choices = textbook.choices(capacity);
        long[] chosen = new long[weights.length];
        for (int g = 0; g < groups; g++) {
            chosen[items.get(g)] += choices[g] * sizes.get(g);
        }
        return Values.row(textbook.value(groups, capacity), Values.array(chosen));
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
        long capacity = capacity(row, 2);
        int[] choices = textbook.choices(capacity);
        return Values.row(textbook.value(choices.length, capacity), Values.array(choices));
    }
}
