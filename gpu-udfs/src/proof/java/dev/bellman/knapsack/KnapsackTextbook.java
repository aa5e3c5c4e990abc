package dev.bellman.knapsack;

import static dev.bellman.proof.Values.invalid;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Defines the knapsack functions by the recurrence, with each value computed once. */
final class KnapsackTextbook {
    /** Used as the value if no choice fits. */
    private static final Long NONE = -1L;

    private record Option(long weight, long value) {}

    private record Cell(int classes, long capacity) {}

    private final List<List<Option>> classes;
    private final Map<Cell, Long> values = new HashMap<>();

    private KnapsackTextbook(List<List<Option>> classes) {
        this.classes = classes;
    }

    /** Returns the maximum value of a choice from the first {@code count} classes that fits in the capacity. */
    private long value(int count, long capacity) {
        if (count == 0) {
            return 0;
        }
        Cell cell = new Cell(count, capacity);
        Long known = values.get(cell);
        if (known != null) {
            return known;
        }
        long best = NONE;
        for (Option option : classes.get(count - 1)) {
            best = Math.max(best, value(count, capacity, option));
        }
        values.put(cell, best);
        return best;
    }

    /** Like {@link #value(int, long)}, but for a given option of the last of these classes. */
    private long value(int count, long capacity, Option option) {
        if (option.weight() > capacity) {
            return NONE;
        }
        long before = value(count - 1, capacity - option.weight());
        try {
            return before < 0 ? NONE : Math.addExact(before, option.value());
        } catch (ArithmeticException e) {
            throw Values.overflow();
        }
    }

    /**
     * Returns the option chosen for each class. Options are chosen from the last class to the first: for each class,
     * the first option that leads to the maximum value.
     */
    private int[] choices(long capacity) {
        int[] choices = new int[classes.size()];
        long left = capacity;
        for (int count = choices.length; count > 0; count--) {
            long best = value(count, left);
            if (best < 0) {
                throw invalid();
            }
            List<Option> options = classes.get(count - 1);
            int o = 0;
            while (value(count, left, options.get(o)) != best) {
                o++;
            }
            choices[count - 1] = o;
            left -= options.get(o).weight();
        }
        return choices;
    }

    private static long[] numbers(ArrayData array) {
        if (Values.hasNull(array)) {
            throw invalid();
        }
        long[] numbers = array.toLongArray();
        for (long number : numbers) {
            if (number < 0) {
                throw invalid();
            }
        }
        return numbers;
    }

    private static long capacity(InternalRow row, int place) {
        if (row.getLong(place) < 0) {
            throw invalid();
        }
        return row.getLong(place);
    }

    private static void checkEqual(int length, int other) {
        if (length != other) {
            throw invalid();
        }
    }

    static Object knapsack(InternalRow row) {
        return items(numbers(row.getArray(0)), numbers(row.getArray(1)), capacity(row, 2));
    }

    static Object subsetSum(InternalRow row) {
        long[] weights = numbers(row.getArray(0));
        return items(weights, weights, capacity(row, 1));
    }

    private static Object items(long[] weights, long[] values, long capacity) {
        checkEqual(weights.length, values.length);
        List<List<Option>> items = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            items.add(List.of(new Option(0, 0), new Option(weights[i], values[i])));
        }
        KnapsackTextbook textbook = new KnapsackTextbook(items);
        int[] choices = textbook.choices(capacity);
        int[] taken =
                IntStream.range(0, choices.length).filter(i -> choices[i] == 1).toArray();
        return Values.row(textbook.value(choices.length, capacity), Values.array(taken));
    }

    static Object bounded(InternalRow row) {
        long[] weights = numbers(row.getArray(0));
        long[] values = numbers(row.getArray(1));
        long[] counts = numbers(row.getArray(2));
        long capacity = capacity(row, 3);
        checkEqual(values.length, weights.length);
        checkEqual(counts.length, weights.length);
        List<List<Option>> items = new ArrayList<>();
        List<long[]> numbers = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            long[] copies = copies(weights[i], counts[i], capacity);
            List<Option> options = new ArrayList<>();
            for (long number : copies) {
                try {
                    options.add(new Option(number * weights[i], Math.multiplyExact(number, values[i])));
                } catch (ArithmeticException e) {
                    throw Values.overflow();
                }
            }
            items.add(options);
            numbers.add(copies);
        }
        KnapsackTextbook textbook = new KnapsackTextbook(items);
        int[] choices = textbook.choices(capacity);
        long[] chosen = new long[choices.length];
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = numbers.get(i)[choices[i]];
        }
        return Values.row(textbook.value(choices.length, capacity), Values.array(chosen));
    }

    /**
     * Returns the numbers of copies that fit. For items without weight, returns only 0 and the maximum: fewer copies
     * are worth less, unless all are worth nothing.
     */
    private static long[] copies(long weight, long count, long capacity) {
        if (weight == 0) {
            return count == 0 ? new long[] {0} : new long[] {0, count};
        }
        long[] copies = new long[(int) Math.min(count, capacity / weight) + 1];
        for (int c = 0; c < copies.length; c++) {
            copies[c] = c;
        }
        return copies;
    }

    static Object multipleChoice(InternalRow row) {
        ArrayData weights = row.getArray(0);
        ArrayData values = row.getArray(1);
        long capacity = capacity(row, 2);
        checkEqual(values.numElements(), weights.numElements());
        if (Values.hasNull(weights) || Values.hasNull(values)) {
            throw invalid();
        }
        List<List<Option>> classes = new ArrayList<>();
        for (int k = 0; k < weights.numElements(); k++) {
            long[] ofClass = numbers(weights.getArray(k));
            long[] worth = numbers(values.getArray(k));
            checkEqual(worth.length, ofClass.length);
            if (worth.length == 0) {
                throw invalid();
            }
            classes.add(IntStream.range(0, worth.length)
                    .mapToObj(o -> new Option(ofClass[o], worth[o]))
                    .toList());
        }
        KnapsackTextbook textbook = new KnapsackTextbook(classes);
        int[] choices = textbook.choices(capacity);
        return Values.row(textbook.value(choices.length, capacity), Values.array(choices));
    }
}
