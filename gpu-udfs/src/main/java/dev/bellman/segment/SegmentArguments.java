package dev.bellman.segment;

import dev.bellman.BellmanException;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import java.util.function.DoublePredicate;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Checks the arguments of the segmentation functions. */
final class SegmentArguments {
    /**
     * The largest allowed magnitude; the squares of larger values, or the sums of these squares, may exceed the range
     * of DOUBLE.
     */
    static final double LARGEST = 1e100;

    private static final double SMALLEST_WEIGHT = 1 / LARGEST;
    private static final String VALUE = "a number from -1e100 to 1e100";

    /** The number of bytes per value, for sums, candidates, costs, starts, and the result in Spark. */
    private static final int BYTES_OF_A_VALUE = 280;

    private static final int BYTES_OF_A_RANK = 60;

    /** The number of bytes per value on each level of a {@link RankTree}. */
    private static final int BYTES_OF_A_BIT = 28;

    private SegmentArguments() {}

    /** Copies a series and replaces -0.0 with 0.0. */
    static double[] series(String function, ArrayData array) {
        double[] values = numbers(function, "values", array, value -> Math.abs(value) <= LARGEST, VALUE);
        takeMemory(function, values.length, 0);
        return values;
    }

    /** Returns the named cost function for a series, after checking that it allows each value. */
    static SegmentCost cost(String function, String name, double... values) {
        SegmentCost.check(function, name);
        if (name.equals("l1")) {
            takeMemory(function, values.length, BYTES_OF_A_RANK + BYTES_OF_A_BIT * RankTree.levels(values.length));
        }
        SegmentCost cost = SegmentCost.of(function, name, values);
        for (int i = 0; i < values.length; i++) {
            if (!cost.allows(values[i])) {
                throw ArrayArguments.invalid(
                        function, "values", i, values[i], "at least 0, because the cost is '%s'".formatted(name));
            }
        }
        return cost;
    }

    static double[] weights(String function, ArrayData array, int values) {
        double[] weights = numbers(
                function,
                "weights",
                array,
                weight -> weight >= SMALLEST_WEIGHT && weight <= LARGEST,
                "a number from 1e-100 to 1e100");
        if (weights.length != values) {
            throw BellmanException.inRow(
                    function,
                    "weights has %,d entries, but values has %,d; the sizes must match"
                            .formatted(weights.length, values));
        }
        return weights;
    }

    private static double[] numbers(
            String function, String name, ArrayData array, DoublePredicate isAllowed, String expected) {
        double[] numbers = ArrayArguments.doubles(function, name, array, isAllowed, expected);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] += 0.0;
        }
        return numbers;
    }

    private static void takeMemory(String function, int values, int more) {
        TaskMemory.take(
                function, (long) (more == 0 ? BYTES_OF_A_VALUE : more) * values, "", () -> "a series of %,d values"
                        .formatted(values));
    }

    static double penalty(String function, double penalty) {
        if (!(penalty >= 0 && penalty <= LARGEST)) {
            throw BellmanException.inRow(
                    function, "penalty is %s; it must be a number from 0 to 1e100".formatted(penalty));
        }
        return penalty;
    }

    static int atLeast(String function, String name, int value, int least) {
        if (value < least) {
            throw BellmanException.inRow(function, "%s is %,d; it must be at least %d".formatted(name, value, least));
        }
        return value;
    }
}
