package dev.bellman.schedule;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.TaskMemory;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Computes the results of the scheduling functions from their arguments. */
final class ScheduleSolvers {
    /**
     * The number of bytes per entry, for its numbers, its position in the order, and its share of the result in Spark.
     */
    private static final int BYTES_OF_AN_ENTRY = 160;

    private static final String FINITE = "a finite number";
    private static final String NOT_NEGATIVE = "at least 0";

    private ScheduleSolvers() {}

    private static void takeEntries(String function, int count) {
        TaskMemory.take(function, (long) BYTES_OF_AN_ENTRY * count, "", () -> "a list of %,d entries".formatted(count));
    }

    private static long[] longs(Arguments arguments, int place, String name) {
        return ArrayArguments.longs(arguments.function(), name, arguments.array(place), value -> true, "a number");
    }

    private static double[] finite(String function, String name, ArrayData array) {
        double[] numbers = ArrayArguments.doubles(function, name, array, Double::isFinite, FINITE);
        for (int i = 0; i < numbers.length; i++) {
            // adding 0.0 turns -0.0 into 0.0
            numbers[i] += 0.0;
        }
        return numbers;
    }

    static Object longestIncreasing(LongestIncreasing.Strategy strategy, FunctionOptions options, Arguments arguments) {
        long[] values = longs(arguments, 0, "values");
        return increasing(options, arguments, values.length, (a, b) -> values[a] < values[b], strategy);
    }

    static Object longestIncreasingReal(
            LongestIncreasing.Strategy strategy, FunctionOptions options, Arguments arguments) {
        double[] values = finite(arguments.function(), "values", arguments.array(0));
        return increasing(options, arguments, values.length, (a, b) -> values[a] < values[b], strategy);
    }

    private static Object increasing(
            FunctionOptions options,
            Arguments arguments,
            int count,
            LongestIncreasing.Order order,
            LongestIncreasing.Strategy strategy) {
        takeEntries(arguments.function(), count);
        options.cells().add(count);
        return LongestIncreasing.of(count, order, strategy);
    }

    static Object maximumSubarray(MaximumSubarray.Strategy strategy, FunctionOptions options, Arguments arguments) {
        long[] values = longs(arguments, 0, "values");
        checkNonEmpty(arguments, values.length);
        options.cells().add(values.length);
        MaximumSubarray.Part part = MaximumSubarray.of(arguments.function(), values);
        return RowFactory.create(part.sum(), part.begin(), part.end());
    }

    static Object maximumSubarrayReal(MaximumSubarray.Strategy strategy, FunctionOptions options, Arguments arguments) {
        double[] values = finite(arguments.function(), "values", arguments.array(0));
        checkNonEmpty(arguments, values.length);
        options.cells().add(values.length);
        MaximumSubarray.Part part = MaximumSubarray.of(values);
        checkSum(arguments, (Double) part.sum());
        return RowFactory.create(part.sum(), part.begin(), part.end());
    }

    private static void checkNonEmpty(Arguments arguments, int count) {
        if (count == 0) {
            throw BellmanException.inRow(arguments.function(), "values is empty; it needs at least one number");
        }
    }

    private static void checkSum(Arguments arguments, double sum) {
        if (Double.isInfinite(sum)) {
            throw BellmanException.inRow(
                    arguments.function(), "the sum exceeds the range of DOUBLE; use smaller numbers");
        }
    }

    static Object weightedSchedule(IntervalSchedule.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        long[] starts = longs(arguments, 0, "starts");
        long[] ends = longs(arguments, 1, "ends");
        long[] weights =
                ArrayArguments.longs(function, "weights", arguments.array(2), weight -> weight >= 0, NOT_NEGATIVE);
        checkLengths(function, starts.length, ends.length, weights.length);
        for (int i = 0; i < starts.length; i++) {
            checkEnd(function, i, starts[i] < ends[i], ends[i], starts[i]);
        }
        takeEntries(function, starts.length);
        options.cells().add(starts.length);
        IntervalSchedule.Plan plan = IntervalSchedule.of(Intervals.of(function, starts, ends, weights), strategy);
        return RowFactory.create(plan.sum(), plan.items());
    }

    static Object weightedScheduleReal(
            IntervalSchedule.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        double[] starts = finite(function, "starts", arguments.array(0));
        double[] ends = finite(function, "ends", arguments.array(1));
        double[] weights = ArrayArguments.doubles(
                function,
                "weights",
                arguments.array(2),
                weight -> weight >= 0 && weight <= Double.MAX_VALUE,
                "a finite, nonnegative number");
        checkLengths(function, starts.length, ends.length, weights.length);
        for (int i = 0; i < starts.length; i++) {
            checkEnd(function, i, starts[i] < ends[i], ends[i], starts[i]);
        }
        takeEntries(function, starts.length);
        options.cells().add(starts.length);
        IntervalSchedule.Plan plan = IntervalSchedule.of(Intervals.of(function, starts, ends, weights), strategy);
        checkSum(arguments, plan.real());
        return RowFactory.create(plan.real(), plan.items());
    }

    private static void checkLengths(String function, int starts, int ends, int weights) {
        if (starts != ends || starts != weights) {
            throw BellmanException.inRow(
                    function,
                    "starts has %,d entries, ends has %,d, and weights has %,d; the sizes must match"
                            .formatted(starts, ends, weights));
        }
    }

    private static void checkEnd(String function, int i, boolean isAfter, Object end, Object start) {
        if (!isAfter) {
            throw ArrayArguments.invalid(function, "ends", i, end, "after its start, " + start);
        }
    }

    static Object lotSizes(LotSizes.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        long[] demand = ArrayArguments.longs(function, "demand", arguments.array(0), value -> value >= 0, NOT_NEGATIVE);
        long setup = notNegative(function, "setup", arguments.bigint(1));
        long holding = notNegative(function, "holding", arguments.bigint(2));
        takeEntries(function, demand.length);
        checkOneLot(function, demand, setup, holding);
        options.cells().add(demand.length);
        LotSizes.Plan plan = LotSizes.of(demand, setup, holding, strategy);
        return RowFactory.create(plan.cost(), plan.lots());
    }

    private static long notNegative(String function, String name, long value) {
        if (value < 0) {
            throw BellmanException.inRow(function, "%s is %d; it must be at least 0".formatted(name, value));
        }
        return value;
    }

    /**
     * Checks that the total demand fits in 64 bits and that a single lot for it costs at most 2^62 - 1, so that the sum
     * of the costs of any two plans fits in 64 bits.
     */
    private static void checkOneLot(String function, long[] demand, long setup, long holding) {
        long most = Long.MAX_VALUE / 2;
        boolean fits = setup <= most;
        long all = 0;
        long moment = 0;
        for (int i = 0; i < demand.length && fits; i++) {
            fits = demand[i] <= Long.MAX_VALUE - all;
            all += demand[i];
            if (fits && holding > 0 && i > 0) {
                fits = demand[i] <= (most - moment) / i;
                moment += fits ? i * demand[i] : 0;
            }
        }
        if (!fits || moment > 0 && holding > (most - setup) / moment) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OVERFLOW,
                    function + ": the total demand exceeds 2^63 - 1, or a single lot for all of it would cost more "
                            + "than 2^62 - 1; use larger units");
        }
    }

    static Object shortestTour(ShortestTour.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        ArrayData rows = arguments.array(0);
        int count = rows.numElements();
        if (count == 0) {
            throw BellmanException.inRow(function, "distances is empty; it needs at least one place");
        }
        if (count > ShortestTour.MAX_PLACES) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: distances has %,d places; the maximum is %d"
                            .formatted(function, count, ShortestTour.MAX_PLACES));
        }
        double[][] matrix = new double[count][];
        for (int i = 0; i < count; i++) {
            if (rows.isNullAt(i)) {
                throw ArrayArguments.invalid(function, "distances", i, "NULL", "an array");
            }
            matrix[i] = finite(function, "row %d of distances".formatted(i + 1), rows.getArray(i));
            if (matrix[i].length != count) {
                throw ArrayArguments.invalid(
                        function, "distances", i, "of length " + matrix[i].length, "of length " + count);
            }
        }
        options.cells().add((long) count * count << count - 1);
        ShortestTour.Tour tour = ShortestTour.of(function, strategy, matrix);
        checkSum(arguments, tour.length());
        return RowFactory.create(tour.length(), tour.places());
    }
}
