package dev.bellman.segment;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.Solver;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Computes the results of the segmentation functions from their arguments. */
final class SegmentSolvers {
    static final StructType BINS = new StructType()
            .add("centers", DataTypes.createArrayType(DataTypes.DoubleType, false), false)
            .add("bounds", DataTypes.createArrayType(DataTypes.DoubleType, false), false)
            .add("cost", DataTypes.DoubleType, false);
    static final StructType LINE = new StructType()
            .add("begin", DataTypes.IntegerType, false)
            .add("end", DataTypes.IntegerType, false)
            .add("value", DataTypes.DoubleType, false)
            .add("slope", DataTypes.DoubleType, false);

    /** The number of bytes per line, including copies as an object, a row, and a Spark row. */
    private static final int BYTES_OF_A_LINE = 300;

    private SegmentSolvers() {}

    /** @param hasPoints whether the series consists of points, which are arrays, instead of numbers */
    static Solver<ChangePoints.Strategy> changePoints(boolean hasPoints) {
        return (strategy, options, arguments) -> {
            double[][] series = series(hasPoints, arguments);
            double penalty = SegmentArguments.penalty(arguments.function(), arguments.number(1));
            return changePoints(strategy, options, arguments, penalty, series);
        };
    }

    /** @param hasPoints whether the series consists of points, which are arrays, instead of numbers */
    static Solver<ChangePoints.Strategy> changePointsByCriterion(boolean hasPoints) {
        return (strategy, options, arguments) -> {
            String function = arguments.function();
            double[][] series = series(hasPoints, arguments);
            InformationCriterion.check(function, arguments.string(1).toString());
            String cost = arguments.string(2).toString();
            SegmentCost.check(function, cost);
            double penalty = InformationCriterion.penalty(function, cost, series);
            return changePoints(strategy, options, arguments, penalty, series);
        };
    }

    private static double[][] series(boolean hasPoints, Arguments arguments) {
        ArrayData values = arguments.array(0);
        return hasPoints
                ? SegmentArguments.points(arguments.function(), values)
                : new double[][] {SegmentArguments.series(arguments.function(), values)};
    }

    private static Object changePoints(
            ChangePoints.Strategy strategy,
            FunctionOptions options,
            Arguments arguments,
            double penalty,
            double[]... series) {
        String function = arguments.function();
        int minSize = SegmentArguments.atLeast(function, "min_size", arguments.integer(3), 1);
        SegmentCost cost = SegmentArguments.cost(function, arguments.string(2).toString(), series);
        options.cells().add(cells(series[0].length) * series.length);
        return ChangePoints.of(cost, series[0].length, minSize, penalty, strategy);
    }

    /** @param hasPoints whether the series consists of points, which are arrays, instead of numbers */
    static Solver<ChangePoints.Strategy> changePointsOf(boolean hasPoints) {
        return (strategy, options, arguments) -> {
            String function = arguments.function();
            double[][] series = series(hasPoints, arguments);
            int length = series[0].length;
            int count = SegmentArguments.atLeast(function, "count", arguments.integer(1), 0);
            int minSize = SegmentArguments.atLeast(function, "min_size", arguments.integer(3), 1);
            if (count > 0 && (count + 1L) * minSize > length) {
                throw BellmanException.inRow(
                        function,
                        ("count is %,d and min_size is %,d, which requires a series of at least %,d values; the length "
                                        + "of the series is %,d")
                                .formatted(count, minSize, (count + 1L) * minSize, length));
            }
            SegmentCost cost =
                    SegmentArguments.cost(function, arguments.string(2).toString(), series);
            options.cells().add(cells(length) * series.length * count);
            return count == 0 ? new int[0] : ChangePoints.ofNumber(function, cost, length, minSize, count, strategy);
        };
    }

    private static long cells(int values) {
        return (long) values * (values + 1) / 2;
    }

    static Object optimalBins(OptimalBins.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        double[] values = SegmentArguments.series(function, arguments.array(0));
        int bins = SegmentArguments.atLeast(function, "k", arguments.integer(1), 1);
        if (values.length == 0) {
            throw BellmanException.inRow(function, "values is empty; it needs at least one number");
        }
        options.cells().add(cells(values.length) * Math.min(bins, values.length));
        OptimalBins.Bins found = new OptimalBins(values).into(function, bins, strategy);
        return RowFactory.create(found.centers(), found.bounds(), found.cost());
    }

    static Object isotonic(Isotonic.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        double[] values = SegmentArguments.series(function, arguments.array(0));
        double[] weights = new double[values.length];
        if (arguments.count() > 1) {
            weights = SegmentArguments.weights(function, arguments.array(1), values.length);
        } else {
            Arrays.fill(weights, 1);
        }
        options.cells().add(values.length);
        return Isotonic.fit(values, weights);
    }

    static Object piecewiseLinear(ChangePoints.Strategy strategy, FunctionOptions options, Arguments arguments) {
        String function = arguments.function();
        double[] values = SegmentArguments.series(function, arguments.array(0));
        double penalty = SegmentArguments.penalty(function, arguments.number(1));
        options.cells().add(cells(values.length));
        if (values.length == 0) {
            return new Object[0];
        }
        LineCost cost = new LineCost(values);
        int[] points = ChangePoints.of(cost, values.length, Math.min(2, values.length), penalty, strategy);
        TaskMemory.take(function, (long) BYTES_OF_A_LINE * (points.length + 1), "", () -> "a result of %,d lines"
                .formatted(points.length + 1));
        Object[] lines = new Object[points.length + 1];
        for (int i = 0; i < lines.length; i++) {
            int begin = i == 0 ? 0 : points[i - 1];
            int end = i == points.length ? values.length : points[i];
            LineCost.Line line = cost.line(begin, end);
            lines[i] = RowFactory.create(begin, end, line.value(), line.slope());
        }
        return lines;
    }
}
