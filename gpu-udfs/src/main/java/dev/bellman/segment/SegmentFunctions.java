package dev.bellman.segment;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines the segmentation functions. */
public final class SegmentFunctions {
    private static final DataType NUMBERS = DataTypes.createArrayType(DoubleType);
    private static final DataType PLACES = DataTypes.createArrayType(IntegerType, false);

    /** A series of points: each point is an array with a number for each dimension. */
    private static final Parameter POINTS = new Parameter("values", DataTypes.createArrayType(NUMBERS));

    private static final Parameter VALUES = new Parameter("values", NUMBERS);
    private static final Parameter PENALTY = new Parameter(
            "penalty", DoubleType, (function, value) -> SegmentArguments.penalty(function, (Double) value));
    private static final Parameter CRITERION = new Parameter(
            "penalty", StringType, (function, value) -> InformationCriterion.check(function, value.toString()));
    private static final Parameter COST = Parameter.setting(
                    "cost", StringType, (function, value) -> SegmentCost.check(function, value.toString()))
            .orElse(UTF8String.fromString("l2"));
    private static final Parameter CRITERION_COST = Parameter.setting(
                    "cost", StringType, (function, value) -> InformationCriterion.checkCost(function, value.toString()))
            .orElse(UTF8String.fromString("l2"));
    private static final Parameter MIN_SIZE = atLeast("min_size", 1).orElse(2);

    private static final Problem<ChangePoints.Strategy> CHANGE_POINTS = problem("change_points");

    private static final String VALUE = "an entry of `values` that is NULL, NaN or beyond 1e100 in magnitude";
    private static final String POINT = "; a point that is NULL or empty; points of different dimensions";
    private static final String NO_PENALTY = "; a `penalty` that is negative, NaN or beyond 1e100";
    private static final String COSTS =
            "; an unknown `cost`; a negative entry with the cost `poisson`; a `min_size` below 1";

    private SegmentFunctions() {}

    private static Problem<ChangePoints.Strategy> problem(String name) {
        return new Problem<>(name, ChangePoints.Strategy.class, ChangePoints.Strategy.SERIAL);
    }

    private static Parameter atLeast(String name, int least) {
        return new Parameter(
                name,
                IntegerType,
                (function, value) -> SegmentArguments.atLeast(function, name, (Integer) value, least));
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(changePoints(), changePointsOf(), piecewiseLinear(), isotonic(), optimalBins());
    }

    private static BellmanFunction<?> changePoints() {
        return Entry.of("change_points", CHANGE_POINTS)
                .signature(List.of(VALUES, PENALTY, COST, MIN_SIZE), PLACES, SegmentSolvers.changePoints(false))
                .signature(
                        List.of(VALUES, CRITERION, CRITERION_COST, MIN_SIZE),
                        PLACES,
                        SegmentSolvers.changePointsByCriterion(false))
                .signature(List.of(POINTS, PENALTY, COST, MIN_SIZE), PLACES, SegmentSolvers.changePoints(true))
                .signature(
                        List.of(POINTS, CRITERION, CRITERION_COST, MIN_SIZE),
                        PLACES,
                        SegmentSolvers.changePointsByCriterion(true))
                .kernels(ChangePoints.Strategy.AUTO)
                .description("Returns the 0-based positions at which a series changes: the starts of all segments "
                        + "except the first, in the partition with the minimum total cost. The total cost is the sum "
                        + "of the segments' costs plus `penalty` for each change point. Each segment has at least "
                        + "`min_size` values, so a series with fewer than `2 * min_size` values has no change points. "
                        + "`cost` is `l2` (the sum of squared deviations from the segment's mean), `l1` (the sum of "
                        + "absolute deviations from the median), `normal` (`n * ln(variance + 1e-6)` for `n` values, "
                        + "which also detects changes in the variance) or `poisson` (`2 * sum * ln(n / sum)`, or 0 if "
                        + "the sum is 0; for counts). A series may also consist of points, which are arrays of equal "
                        + "length. The cost of a segment of points is the sum of its costs in each dimension, so "
                        + "`normal` assumes that the dimensions are independent. If `penalty` is `'bic'`, the Bayesian "
                        + "information criterion determines the penalty. For `d` dimensions (a series of numbers has "
                        + "one), the penalty is `(1 + d) * ln(size(values))` for `poisson`, `(1 + 2 * d) * "
                        + "ln(size(values))` for `normal`, and `(1 + d) * ln(size(values))` times the noise variance "
                        + "for `l2`. The noise variance is the mean of `(mad / 0.6745)^2 / 2` over the dimensions, "
                        + "where `mad` is the median absolute deviation of the differences between neighbours. Ties: "
                        + "the longest last segment, then the longest segment before it, and so on.")
                .rejects(
                        VALUE + POINT + NO_PENALTY + ", or a string other than `bic`; `bic` with the cost `l1`" + COSTS)
                .example("change_points(array(1, 1, 2, 1, 8, 9, 8, 8), 4)", "[4]")
                .function();
    }

    private static BellmanFunction<?> changePointsOf() {
        return Entry.of("change_points_of", CHANGE_POINTS)
                .signature(
                        List.of(VALUES, atLeast("count", 0), COST, MIN_SIZE),
                        PLACES,
                        SegmentSolvers.changePointsOf(false))
                .signature(
                        List.of(POINTS, atLeast("count", 0), COST, MIN_SIZE),
                        PLACES,
                        SegmentSolvers.changePointsOf(true))
                .kernels(ChangePoints.Strategy.AUTO)
                .description("Like `change_points`, but finds exactly `count` change points instead of using a "
                        + "penalty.")
                .rejects(VALUE + POINT + "; a negative `count`; a series too short for `count` change points" + COSTS)
                .example("change_points_of(array(1, 1, 2, 1, 8, 9, 8, 8, 3, 3), 2)", "[4, 8]")
                .function();
    }

    private static BellmanFunction<?> piecewiseLinear() {
        return Entry.of("piecewise_linear", problem("piecewise_linear"))
                .signature(
                        List.of(VALUES, PENALTY),
                        DataTypes.createArrayType(SegmentSolvers.LINE, false),
                        SegmentSolvers::piecewiseLinear)
                .kernels(ChangePoints.Strategy.AUTO)
                .description("Returns a piecewise linear fit by segmented least squares: the partition of a series "
                        + "into segments with the minimum total cost. The total cost is the sum of squared deviations "
                        + "from each segment's line plus `penalty` for each segment. The result contains the start and "
                        + "end of each segment (0-based, end exclusive), the value of the segment's line at its start, "
                        + "and the slope. A segment has at least two values, unless the series has only one value. "
                        + "Ties are broken as in `change_points`.")
                .rejects(VALUE + NO_PENALTY)
                .example("piecewise_linear(array(0, 1, 2, 3, 9, 7, 5), 1)", "[{0, 4, 0.0, 1.0}, {4, 7, 9.0, -2.0}]")
                .function();
    }

    private static BellmanFunction<?> isotonic() {
        return Entry.of("isotonic", new Problem<>("isotonic", Isotonic.Strategy.class, Isotonic.Strategy.SERIAL))
                .signature(List.of(VALUES), NUMBERS, SegmentSolvers::isotonic)
                .signature(List.of(VALUES, new Parameter("weights", NUMBERS)), NUMBERS, SegmentSolvers::isotonic)
                .kernels(Isotonic.Strategy.AUTO)
                .description("Returns the isotonic regression of a series: the nondecreasing series with the minimum "
                        + "sum of squared deviations from `values`. If `weights` is given, each squared deviation is "
                        + "multiplied by its weight. For a nonincreasing series, negate `values` and the result.")
                .rejects(VALUE + "; a weight that is NULL, NaN, below 1e-100 or above 1e100; arrays of different "
                        + "lengths")
                .example(
                        "isotonic(array(1, 3, 2, 4, 3, 3))",
                        "[1.0, 2.5, 2.5, 3.3333333333333335, 3.3333333333333335, 3.3333333333333335]")
                .function();
    }

    private static BellmanFunction<?> optimalBins() {
        return Entry.of(
                        "optimal_bins",
                        new Problem<>("optimal_bins", OptimalBins.Strategy.class, OptimalBins.Strategy.SERIAL))
                .signature(List.of(VALUES, atLeast("k", 1)), SegmentSolvers.BINS, SegmentSolvers::optimalBins)
                .kernels(OptimalBins.Strategy.AUTO)
                .description("Returns the `k` bins of numbers with the minimum sum of squared deviations from the bin "
                        + "means (natural breaks, or optimal one-dimensional k-means). `centers` are the bin means in "
                        + "ascending order. `bounds` contains the smallest of all numbers, followed by the largest "
                        + "number in each bin. `cost` is the sum of squared deviations. If there are fewer than `k` "
                        + "distinct numbers, each distinct number has its own bin. Ties: the last bin has as many "
                        + "numbers as possible, then the bin before it, and so on. Costs are tied if their relative "
                        + "difference is less than 2^-36.")
                .rejects(VALUE + "; a `k` below 1; an empty array")
                .example(
                        "optimal_bins(array(1, 2, 9, 2, 8, 10), 2)",
                        "{[1.6666666666666667, 9.0], [1.0, 2.0, 10.0], 2.6666666666666665}")
                .function();
    }
}
