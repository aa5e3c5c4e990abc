package dev.bellman.knapsack;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import dev.bellman.knapsack.Knapsack.Strategy;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Computes the results of the knapsack functions from their arguments. */
final class KnapsackSolvers {
    static final StructType ITEMS = result("value", DataTypes.LongType, "items", DataTypes.IntegerType);
    static final StructType REAL_ITEMS = result("value", DataTypes.DoubleType, "items", DataTypes.IntegerType);
    static final StructType SUM = result("sum", DataTypes.LongType, "items", DataTypes.IntegerType);
    static final StructType COUNTS = result("value", DataTypes.LongType, "counts", DataTypes.LongType);
    static final StructType REAL_COUNTS = result("value", DataTypes.DoubleType, "counts", DataTypes.LongType);
    static final StructType CHOICES = result("value", DataTypes.LongType, "choices", DataTypes.IntegerType);
    static final StructType REAL_CHOICES = result("value", DataTypes.DoubleType, "choices", DataTypes.IntegerType);

    /** The largest allowed DOUBLE value; sums of larger values might be infinite. */
    private static final double LARGEST = 1e100;

    private static final String EXPECTED = "at least 0";

    /**
     * The number of bytes per option, for all representations of its numbers and its share of the result, including
     * Spark's copies.
     */
    private static final int BYTES_OF_AN_OPTION = 120;

    /** The maximum number of parts (of 1, 2, 4, ... copies) into which an item is split. */
    private static final int MAX_PARTS = 63;

    private KnapsackSolvers() {}

    private static StructType result(String value, DataType number, String list, DataType entry) {
        return new StructType().add(value, number, false).add(list, DataTypes.createArrayType(entry, false), false);
    }

    static Object knapsack(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return knapsack(strategy, options, arguments, false);
    }

    static Object realKnapsack(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return knapsack(strategy, options, arguments, true);
    }

    private static Row knapsack(Strategy strategy, FunctionOptions options, Arguments arguments, boolean real) {
        String function = arguments.function();
        long capacity = capacity(function, arguments.bigint(2));
        long[] weights = numbers(function, "weights", arguments.array(0));
        long[] values = values(function, arguments.array(1), real);
        checkLengths(function, "values", values.length, weights.length);
        takeOptions(function, weights.length);
        Options items = Options.ofItems(weights, values, real);
        return ofItems(values, real, Knapsack.choose(function, items, capacity, strategy, options.cells()));
    }

    static Object subsetSum(Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        long capacity = capacity(function, arguments.bigint(1));
        long[] weights = numbers(function, "weights", arguments.array(0));
        takeOptions(function, weights.length);
        return ofItems(weights, false, SubsetSum.choose(function, weights, capacity, strategy, options.cells()));
    }

    private static Row ofItems(long[] values, boolean real, int... taken) {
        int[] items =
                IntStream.range(0, taken.length).filter(item -> taken[item] > 0).toArray();
        long[] chosen = new long[items.length];
        Arrays.setAll(chosen, at -> values[items[at]]);
        return RowFactory.create(sum(real, chosen), items);
    }

    /** Adds the values in the order of the array. */
    private static Object sum(boolean real, long... values) {
        long sum = 0;
        for (long value : values) {
            sum = real ? Options.realSum(sum, value) : sum + value;
        }
        return real ? Double.longBitsToDouble(sum) : (Object) sum;
    }

    static Object bounded(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return bounded(strategy, options, arguments, false);
    }

    static Object realBounded(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return bounded(strategy, options, arguments, true);
    }

    /**
     * Splits each item into parts of 1, 2, 4, ... copies and, as the last part, the remainder. The other parts are the
     * digits of a binary number. Any choice that includes the remainder has more copies than the choice of the same
     * digits without the remainder. Therefore, omitting the last part if possible, then the part before it, and so on,
     * yields the smallest number of copies.
     */
    private static Row bounded(Strategy strategy, FunctionOptions options, Arguments arguments, boolean real) {
        String function = arguments.function();
        long capacity = capacity(function, arguments.bigint(3));
        long[] weights = numbers(function, "weights", arguments.array(0));
        long[] values = values(function, arguments.array(1), real);
        long[] counts = numbers(function, "counts", arguments.array(2));
        checkLengths(function, "values", values.length, weights.length);
        checkLengths(function, "counts", counts.length, weights.length);
        long[] copies = new long[weights.length];
        long parts = 0;
        long minStates = 0;
        for (int i = 0; i < copies.length; i++) {
            copies[i] = weights[i] == 0 ? counts[i] : Math.min(counts[i], capacity / weights[i]);
            if (!real && copies[i] > 0 && values[i] > Long.MAX_VALUE / copies[i]) {
                throw TableRow.overflow(function);
            }
            parts += Long.SIZE - Long.numberOfLeadingZeros(copies[i]);
            if (!real && weights[i] > 0 && values[i] > 0) {
                // each additional copy that fits increases the best value; sums of doubles may be rounded
                minStates = Math.max(minStates, copies[i]);
            }
        }
        takeOptions(function, parts);
        int[] item = new int[(int) parts];
        long[] size = new long[(int) parts];
        int part = 0;
        for (int i = 0; i < copies.length; i++) {
            long left = copies[i];
            for (int p = 0; p < MAX_PARTS && left > 0; p++) {
                item[part] = i;
                size[part] = Math.min(1L << p, left);
                left -= size[part++];
            }
        }
        long[] partWeights = new long[part];
        long[] partValues = new long[part];
        Arrays.setAll(partWeights, p -> size[p] * weights[item[p]]);
        Arrays.setAll(partValues, p -> times(real, size[p], values[item[p]]));
        Options items = Options.ofItems(partWeights, partValues, real);
        int[] taken = Knapsack.choose(function, items, capacity, strategy, minStates, options.cells());
        long[] chosen = new long[weights.length];
        long[] worth = new long[part];
        for (int p = 0; p < part; p++) {
            chosen[item[p]] += taken[p] * size[p];
            worth[p] = taken[p] * partValues[p];
        }
        return RowFactory.create(sum(real, worth), chosen);
    }

    /** Returns the value of several copies; the values of a {@code real} problem are the bits of doubles. */
    private static long times(boolean real, long copies, long value) {
        return real ? Double.doubleToRawLongBits(copies * Double.longBitsToDouble(value)) : copies * value;
    }

    static Object multipleChoice(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return multipleChoice(strategy, options, arguments, false);
    }

    static Object realMultipleChoice(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return multipleChoice(strategy, options, arguments, true);
    }

    private static Row multipleChoice(Strategy strategy, FunctionOptions options, Arguments arguments, boolean real) {
        String function = arguments.function();
        long capacity = capacity(function, arguments.bigint(2));
        Options classes = classes(function, arguments.array(0), arguments.array(1), real);
        int[] chosen = Knapsack.choose(function, classes, capacity, strategy, options.cells());
        long[] values = new long[chosen.length];
        Arrays.setAll(values, k -> classes.values()[classes.starts()[k] + chosen[k]]);
        return RowFactory.create(sum(real, values), chosen);
    }

    private static Options classes(String function, ArrayData weights, ArrayData values, boolean real) {
        int count = weights.numElements();
        checkLengths(function, "values", values.numElements(), count);
        TaskMemory.takeArgument(function, "weights", count);
        long options = 0;
        int[] starts = new int[count + 1];
        for (int k = 0; k < count; k++) {
            if (weights.isNullAt(k) || values.isNullAt(k)) {
                throw ArrayArguments.invalid(
                        function, weights.isNullAt(k) ? "weights" : "values", k, "NULL", "an array");
            }
            options += weights.getArray(k).numElements();
            starts[k + 1] = (int) Math.min(Integer.MAX_VALUE, options);
        }
        takeOptions(function, options);
        long[] all = new long[starts[count]];
        long[] worth = new long[starts[count]];
        Cancellation cancellation = new Cancellation();
        for (int k = 0; k < count; k++) {
            cancellation.count(BYTES_OF_AN_OPTION + (long) starts[k + 1] - starts[k]);
            long[] ofClass = numbers(function, "weights", weights.getArray(k));
            long[] worthOfClass = values(function, values.getArray(k), real);
            if (ofClass.length == 0 || worthOfClass.length != ofClass.length) {
                throw BellmanException.inRow(
                        function,
                        ("entry %,d (counted from 1) has %,d numbers in weights, but %,d in values; the two counts "
                                        + "must be equal and at least 1")
                                .formatted(k + 1, ofClass.length, worthOfClass.length));
            }
            System.arraycopy(ofClass, 0, all, starts[k], ofClass.length);
            System.arraycopy(worthOfClass, 0, worth, starts[k], ofClass.length);
        }
        return new Options(starts, all, worth, real);
    }

    private static long[] numbers(String function, String name, ArrayData array) {
        return ArrayArguments.longs(function, name, array, number -> number >= 0, EXPECTED);
    }

    /** Returns the values as whole numbers, or as the bits of doubles. */
    private static long[] values(String function, ArrayData array, boolean real) {
        return real
                ? Arrays.stream(ArrayArguments.doubles(
                                function,
                                "values",
                                array,
                                value -> value >= 0 && value <= LARGEST,
                                "a number from 0 to 1e100"))
                        .mapToLong(value -> Double.doubleToRawLongBits(value + 0.0))
                        .toArray()
                : numbers(function, "values", array);
    }

    private static long capacity(String function, long capacity) {
        if (capacity < 0) {
            throw BellmanException.inRow(function, "capacity is %d; it must be %s".formatted(capacity, EXPECTED));
        }
        return capacity;
    }

    private static void checkLengths(String function, String name, int length, int weights) {
        if (length != weights) {
            throw BellmanException.inRow(
                    function,
                    "%s has %,d entries, but weights has %,d; the sizes must match".formatted(name, length, weights));
        }
    }

    private static void takeOptions(String function, long count) {
        TaskMemory.take(function, BYTES_OF_AN_OPTION * count, "", () -> "a list of %,d options".formatted(count));
    }
}
