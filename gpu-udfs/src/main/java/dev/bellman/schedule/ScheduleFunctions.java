package dev.bellman.schedule;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Defines the scheduling functions. */
public final class ScheduleFunctions {
    private static final DataType INTEGERS = DataTypes.createArrayType(LongType);
    private static final DataType REALS = DataTypes.createArrayType(DoubleType);
    private static final DataType PLACES = DataTypes.createArrayType(IntegerType, false);
    private static final StructType TOUR =
            new StructType().add("length", DoubleType, false).add("tour", PLACES, false);
    private static final StructType LOTS = new StructType()
            .add("cost", LongType, false)
            .add("lots", DataTypes.createArrayType(LongType, false), false);

    private static final String ENTRY = "an entry that is NULL, NaN or infinite";

    private ScheduleFunctions() {}

    private static List<Parameter> parameters(DataType type, String... names) {
        return Stream.of(names).map(name -> new Parameter(name, type)).toList();
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(longestIncreasing(), maximumSubarray(), weightedSchedule(), lotSizes(), shortestTour());
    }

    private static BellmanFunction<?> longestIncreasing() {
        return Entry.of(
                        "longest_increasing",
                        new Problem<>(
                                "longest_increasing",
                                LongestIncreasing.Strategy.class,
                                LongestIncreasing.Strategy.SERIAL))
                .signature(parameters(INTEGERS, "values"), PLACES, ScheduleSolvers::longestIncreasing)
                .signature(parameters(REALS, "values"), PLACES, ScheduleSolvers::longestIncreasingReal)
                .kernels(LongestIncreasing.Strategy.AUTO)
                .description("Returns the 0-based positions of the longest strictly increasing subsequence of a "
                        + "series. Ties: the last possible position of the last value, then of the value before it, "
                        + "and so on.")
                .rejects(ENTRY)
                .example("longest_increasing(array(3, 1, 4, 1, 5, 9, 2, 6))", "[1, 2, 4, 7]")
                .function();
    }

    private static StructType part(DataType sum) {
        return new StructType()
                .add("sum", sum, false)
                .add("begin", IntegerType, false)
                .add("end", IntegerType, false);
    }

    private static BellmanFunction<?> maximumSubarray() {
        return Entry.of(
                        "maximum_subarray",
                        new Problem<>(
                                "maximum_subarray", MaximumSubarray.Strategy.class, MaximumSubarray.Strategy.SERIAL))
                .signature(parameters(INTEGERS, "values"), part(LongType), ScheduleSolvers::maximumSubarray)
                .signature(parameters(REALS, "values"), part(DoubleType), ScheduleSolvers::maximumSubarrayReal)
                .kernels(MaximumSubarray.Strategy.AUTO)
                .description("Returns the part of a series with the maximum sum: the sum, and the start and end "
                        + "positions of the part (0-based, end exclusive). The part has at least one value. Ties: the "
                        + "part that ends first, then the shortest part.")
                .rejects(ENTRY + "; an empty series; a sum beyond the range of BIGINT or DOUBLE")
                .example("maximum_subarray(array(-2, 1, -3, 4, -1, 2, 1, -5, 4))", "{6, 3, 7}")
                .function();
    }

    private static StructType schedule(DataType weight) {
        return new StructType().add("weight", weight, false).add("items", PLACES, false);
    }

    private static BellmanFunction<?> weightedSchedule() {
        String[] names = {"starts", "ends", "weights"};
        return Entry.of(
                        "weighted_schedule",
                        new Problem<>(
                                "weighted_schedule", IntervalSchedule.Strategy.class, IntervalSchedule.Strategy.SERIAL))
                .signature(parameters(INTEGERS, names), schedule(LongType), ScheduleSolvers::weightedSchedule)
                .signature(parameters(REALS, names), schedule(DoubleType), ScheduleSolvers::weightedScheduleReal)
                .kernels(IntervalSchedule.Strategy.AUTO)
                .description("Returns the non-overlapping intervals with the maximum sum of `weights`: the sum, and "
                        + "the 0-based positions of the intervals in the lists, in the order of their ends. An "
                        + "interval may start where the previous one ends. Ties: intervals are ordered by end, then by "
                        + "start, then by position. A solution that omits the last interval is preferred, then one "
                        + "that omits the interval before it, and so on.")
                .rejects(ENTRY + "; a negative weight; an end that is not after its start; arrays of different "
                        + "lengths; a sum beyond the range of BIGINT or DOUBLE")
                .example("weighted_schedule(array(0, 2, 4, 1), array(3, 5, 7, 6), array(4, 6, 5, 8))", "{9, [0, 2]}")
                .function();
    }

    private static BellmanFunction<?> lotSizes() {
        return Entry.of("lot_sizes", new Problem<>("lot_sizes", LotSizes.Strategy.class, LotSizes.Strategy.SERIAL))
                .signature(
                        List.of(
                                new Parameter("demand", INTEGERS),
                                new Parameter("setup", LongType),
                                new Parameter("holding", LongType)),
                        LOTS,
                        ScheduleSolvers::lotSizes)
                .kernels(LotSizes.Strategy.AUTO)
                .description("Returns the cheapest plan to produce or order goods for a known demand in each period: "
                        + "the cost, and the lot size of each period (0 if the period has no lot). A lot costs "
                        + "`setup`, and each unit costs `holding` for each period between its lot and its use. Express "
                        + "costs in a small unit, such as cents. Ties: the earliest last lot, then the earliest lot "
                        + "before it, and so on.")
                .rejects("an entry that is NULL; a negative number; a total demand above 2^63 - 1; a total demand for "
                        + "which a single lot would cost more than 2^62 - 1")
                .example("lot_sizes(array(20, 50, 10, 50), 100, 1)", "{270, [80, 0, 0, 50]}")
                .function();
    }

    private static BellmanFunction<?> shortestTour() {
        return Entry.of(
                        "shortest_tour",
                        new Problem<>("shortest_tour", ShortestTour.Strategy.class, ShortestTour.Strategy.SERIAL))
                .signature(
                        parameters(DataTypes.createArrayType(REALS), "distances"), TOUR, ScheduleSolvers::shortestTour)
                .kernels(ShortestTour.Strategy.AUTO)
                .description("Returns the shortest round trip from place 0 through up to 19 other places: its length, "
                        + "and the places in order. For each place, `distances` contains an array with the distances "
                        + "to all places; distances may differ by direction. Ties: the smallest last place, then the "
                        + "smallest place before it, and so on.")
                .rejects(ENTRY + "; a matrix that is empty or not square; a length beyond the range of DOUBLE")
                .example(
                        "shortest_tour(array(array(0, 2, 9, 10), array(1, 0, 6, 4), array(15, 7, 0, 8), "
                                + "array(6, 3, 12, 0)))",
                        "{21.0, [0, 2, 3, 1]}")
                .function();
    }
}
