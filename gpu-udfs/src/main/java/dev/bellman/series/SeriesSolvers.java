package dev.bellman.series;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskMemory;
import dev.bellman.series.SeriesTable.Strategy;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Computes the results of the time-series functions from their arguments. */
final class SeriesSolvers {
    @FunctionalInterface
    interface SeriesSolver<S extends Enum<S>> extends Serializable {
        Object solve(SeriesArguments arguments, S strategy, FunctionOptions options);
    }

    static final StructType STEP =
            new StructType().add("i", DataTypes.IntegerType, false).add("j", DataTypes.IntegerType, false);
    static final StructType PATH = new StructType()
            .add("distance", DataTypes.DoubleType, false)
            .add("path", DataTypes.createArrayType(STEP, false), false);
    static final StructType PART = new StructType()
            .add("distance", DataTypes.DoubleType, false)
            .add("begin", DataTypes.IntegerType, false)
            .add("end", DataTypes.IntegerType, false);

    /** The number of bytes per step of a path, for its list entry, its row object and its Spark row together. */
    private static final int BYTES_OF_A_STEP = 200;

    /** The number of bytes per number in a result, including its copies in Spark, which boxes numbers. */
    private static final int BYTES_OF_A_NUMBER = 96;

    private static final int BYTES_OF_A_POINT = 160;

    /**
     * The factor by which the limit on sums of squares is raised, so that the root of any larger sum exceeds the given
     * limit even after rounding.
     */
    private static final double SLACK = 1 + 1e-15;

    private SeriesSolvers() {}

    static Object dtw(SeriesArguments arguments, Strategy strategy, FunctionOptions options) {
        Series[] pair = arguments.nonEmptyPair("a", "b");
        int band = arguments.band(2);
        double max = arguments.max(3);
        CellRule rule = arguments.power(4);
        SeriesTable table = SeriesTable.of(pair[0], pair[1], rule, 0, band);
        options.cells().add(table.cells());
        if (max < 0) {
            return Double.POSITIVE_INFINITY;
        }
        double limit = rule.isSquared() ? max * max * SLACK : max;
        if (limit < Double.POSITIVE_INFINITY && strategy != Strategy.SERIAL && WarpingBounds.exceed(table, limit)) {
            return Double.POSITIVE_INFINITY;
        }
        double distance = distance(rule, table.last(strategy, limit));
        return distance > max ? Double.POSITIVE_INFINITY : distance;
    }

    private static double distance(CellRule rule, double sum) {
        return rule.isSquared() ? Math.sqrt(sum) : sum;
    }

    static Object dtwPath(SeriesArguments arguments, Strategy strategy, FunctionOptions options) {
        Series[] pair = arguments.nonEmptyPair("a", "b");
        CellRule rule = arguments.power(3);
        SeriesTable table = SeriesTable.of(pair[0], pair[1], rule, 0, arguments.band(2));
        options.cells().add(table.cells());
        double distance = finite(arguments, distance(rule, table.last(strategy)));
        List<int[]> path = path(arguments, table, table.columns(), strategy);
        Object[] steps = new Object[path.size()];
        for (int s = 0; s < steps.length; s++) {
            steps[s] = RowFactory.create(path.get(s)[0] - 1, path.get(s)[1] - 1);
        }
        return RowFactory.create(distance, steps);
    }

    static Object dtwSearch(SeriesArguments arguments, Strategy strategy, FunctionOptions options) {
        Series[] pair = arguments.nonEmptyPair("query", "series");
        CellRule rule = arguments.power(2);
        SeriesTable table = SeriesTable.within(pair[0], pair[1], rule);
        SeriesTable.End end = table.end(strategy);
        double distance = finite(arguments, distance(rule, end.value()));
        options.cells().add(table.cells());
        List<int[]> path = path(arguments, table, end.column(), strategy);
        return RowFactory.create(distance, path.get(0)[1] - 1, end.column());
    }

    /** Rejects an infinite distance, because paths whose costs exceed the range of DOUBLE cannot be compared. */
    private static double finite(SeriesArguments arguments, double distance) {
        if (Double.isInfinite(distance)) {
            throw BellmanException.inRow(
                    arguments.function(), "the distance exceeds the range of DOUBLE; scale the values of both series");
        }
        return distance;
    }

    private static List<int[]> path(SeriesArguments arguments, SeriesTable table, int column, Strategy strategy) {
        TaskMemory.take(
                arguments.function(),
                (long) BYTES_OF_A_STEP * (table.rows() + column),
                "",
                () -> "a path of up to %,d steps".formatted((long) table.rows() + column));
        return strategy == Strategy.SERIAL
                ? WarpingPath.ofRows(table, column)
                : WarpingPath.to(table, table.rows(), column);
    }

    static Object lcss(SeriesArguments arguments, Strategy strategy, FunctionOptions options) {
        return (int) -edits(CellRule.LCSS, arguments, strategy, options);
    }

    static Object edr(SeriesArguments arguments, Strategy strategy, FunctionOptions options) {
        return (int) edits(CellRule.EDR, arguments, strategy, options);
    }

    private static double edits(CellRule rule, SeriesArguments arguments, Strategy strategy, FunctionOptions options) {
        Series[] pair = arguments.pair("a", "b");
        double tolerance = arguments.tolerance(2);
        SeriesTable table = SeriesTable.of(pair[0], pair[1], rule, tolerance, arguments.band(3));
        options.cells().add(table.cells());
        return table.last(strategy);
    }

    static Object erp(SeriesArguments arguments, Strategy strategy, FunctionOptions options) {
        Series[] pair = arguments.pair("a", "b");
        double gap = arguments.gap(2);
        SeriesTable table = SeriesTable.of(pair[0], pair[1], CellRule.ERP, gap, arguments.band(3));
        options.cells().add(table.cells());
        return table.last(strategy);
    }

    static Object frechet(SeriesArguments arguments, Strategy strategy, FunctionOptions options) {
        Series[] pair = arguments.nonEmptyPair("a", "b");
        SeriesTable table = SeriesTable.of(pair[0], pair[1], CellRule.FRECHET, 0, Integer.MAX_VALUE);
        options.cells().add(table.cells());
        return Math.sqrt(table.last(strategy));
    }

    static Object softDtw(SeriesArguments arguments, SoftDtw.Strategy strategy, FunctionOptions options) {
        Series[] pair = arguments.nonEmptyPair("a", "b");
        double gamma = arguments.gamma(2);
        options.cells().add((long) pair[0].length() * pair[1].length());
        return SoftDtw.distance(pair[0], pair[1], gamma, strategy);
    }

    static Object zNormalized(SeriesArguments arguments, ZNormalization.Strategy strategy, FunctionOptions options) {
        Series series = arguments.series(0, "series");
        options.cells().add(series.values().length);
        TaskMemory.take(
                arguments.function(),
                (arguments.hasPoints() ? (long) BYTES_OF_A_POINT * series.length() : 0)
                        + (long) BYTES_OF_A_NUMBER * series.values().length,
                "",
                () -> "a series of %,d points".formatted(series.length()));
        ZNormalization.normalize(arguments.function(), series);
        if (!arguments.hasPoints()) {
            return series.values();
        }
        double[][] points = new double[series.length()][series.dimensions()];
        for (int i = 0; i < points.length; i++) {
            for (int k = 0; k < series.dimensions(); k++) {
                points[i][k] = series.at(k, i);
            }
        }
        return points;
    }
}
