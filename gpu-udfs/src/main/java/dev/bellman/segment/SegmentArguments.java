package dev.bellman.segment;

import dev.bellman.BellmanException;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import java.util.function.DoublePredicate;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Checks the arguments of the segmentation functions. */
final class SegmentArguments {
    /** The largest allowed magnitude, so that sums of squares, and squares of sums, are within the range of DOUBLE. */
    static final double LARGEST = 1e100;

    private static final double SMALLEST_WEIGHT = 1 / LARGEST;
    private static final String VALUE = "a number from -1e100 to 1e100";

    /** The number of bytes per value, for sums, candidates, costs, starts, and the result in Spark. */
    private static final int BYTES_OF_A_VALUE = 344;

    private static final int BYTES_OF_A_RANK = 60;

    /** The number of bytes per value on each level of a {@link RankTree}. */
    private static final int BYTES_OF_A_BIT = 28;

    private SegmentArguments() {}

    /** Checks and copies a series, and replaces -0.0 with 0.0. */
    static double[] series(String function, ArrayData array) {
        double[] values = numbers(function, "values", array, value -> Math.abs(value) <= LARGEST, VALUE);
        takeMemory(function, values.length, BYTES_OF_A_VALUE);
        return values;
    }

    /** Checks a series of points, and returns the values of each dimension. An empty series has one dimension. */
    static double[][] points(String function, ArrayData array) {
        int count = array.numElements();
        TaskMemory.takeArgument(function, "values", count);
        int size = count == 0 || array.isNullAt(0) ? 1 : array.getArray(0).numElements();
        for (int i = 0; i < count; i++) {
            if (array.isNullAt(i)) {
                throw ArrayArguments.invalid(function, "values", i, "NULL", "an array");
            }
            int found = array.getArray(i).numElements();
            if (found != size || found == 0) {
                throw BellmanException.inRow(
                        function,
                        ("entry %,d of values (counted from 1) has %,d numbers; each entry must have as many numbers "
                                        + "as the first entry, and at least one")
                                .formatted(i + 1, found));
            }
        }
        takeMemory(function, (long) count * size, BYTES_OF_A_VALUE);
        double[][] dimensions = new double[size][count];
        for (int i = 0; i < count; i++) {
            ArrayData point = array.getArray(i);
            for (int k = 0; k < size; k++) {
                if (point.isNullAt(k) || !(Math.abs(point.getDouble(k)) <= LARGEST)) {
                    Object found = point.isNullAt(k) ? "NULL" : point.getDouble(k);
                    throw ArrayArguments.invalid(function, "entry %,d of values".formatted(i + 1), k, found, VALUE);
                }
                dimensions[k][i] = point.getDouble(k) + 0.0;
            }
        }
        return dimensions;
    }

    /** Returns the named cost function for a series, after checking that it allows each value. */
    static SegmentCost cost(String function, String name, double[]... dimensions) {
        SegmentCost.check(function, name);
        int count = dimensions[0].length;
        if (name.equals("l1")) {
            int bytes = BYTES_OF_A_RANK + BYTES_OF_A_BIT * RankTree.levels(count);
            takeMemory(function, (long) count * dimensions.length, bytes);
        }
        SegmentCost cost = SegmentCost.ofPoints(function, name, dimensions);
        for (int i = 0; name.equals("poisson") && i < count; i++) {
            for (int k = 0; k < dimensions.length; k++) {
                if (dimensions[k][i] < 0) {
                    boolean isNumber = dimensions.length == 1;
                    throw ArrayArguments.invalid(
                            function,
                            isNumber ? "values" : "entry %,d of values".formatted(i + 1),
                            isNumber ? i : k,
                            dimensions[k][i],
                            "at least 0, because the cost is 'poisson'");
                }
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

    private static void takeMemory(String function, long values, int bytesOfAValue) {
        TaskMemory.take(function, bytesOfAValue * values, "", () -> "a series of %,d values".formatted(values));
    }

    static double penalty(String function, double penalty) {
        if (!(penalty >= 0 && penalty <= LARGEST)) {
            throw BellmanException.inSetting(
                    function, "penalty is %s; it must be a number from 0 to 1e100".formatted(penalty));
        }
        return penalty;
    }

    static int atLeast(String function, String name, int value, int least) {
        if (value < least) {
            throw BellmanException.inSetting(
                    function, "%s is %,d; it must be at least %d".formatted(name, value, least));
        }
        return value;
    }
}
