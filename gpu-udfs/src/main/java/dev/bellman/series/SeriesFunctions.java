package dev.bellman.series;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import dev.bellman.series.SeriesSolvers.Solver;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The functions of this family. */
public final class SeriesFunctions {
    private static final int SMALL = 12;
    private static final int LARGE = 600;
    private static final int LARGE_SOFT = 150;

    private static final DataType NUMBERS = DataTypes.createArrayType(DoubleType);
    private static final DataType POINTS = DataTypes.createArrayType(NUMBERS);

    private static final Problem<SeriesTable.Strategy> DTW = problem("dtw");

    private static final String NO_SERIES = "an entry that is NULL, NaN or infinite; points of different dimensions";
    private static final String EMPTY = "; an empty series";
    private static final String BAND = "; a `band` below 0";
    private static final String POWER = "; a `power` other than 1 or 2";
    private static final String NO_DISTANCE = "; a distance beyond the range of DOUBLE";
    private static final String TOLERANCE = "; a `tolerance` that is negative, NaN or infinite";

    private SeriesFunctions() {}

    /** The textbook's answer. */
    @FunctionalInterface
    private interface Definition extends Serializable {
        Object solve(InternalRow row, boolean points);
    }

    /**
     * A function's signatures: for each list of parameters, one for numbers and one for points.
     *
     * @param onGpu whether it has kernels
     */
    private record Form<S extends Enum<S>>(
            String name,
            Problem<S> problem,
            Solver<S> solver,
            Definition definition,
            int large,
            int growth,
            boolean onGpu) {
        List<Signature<S>> signatures(UnaryOperator<DataType> result, String... calls) {
            List<Signature<S>> signatures = new ArrayList<>();
            for (boolean points : new boolean[] {false, true}) {
                for (String call : calls) {
                    signatures.add(signature(List.of(call.split(", ")), points, result));
                }
            }
            return signatures;
        }

        private Signature<S> signature(List<String> names, boolean points, UnaryOperator<DataType> result) {
            DataType series = points ? POINTS : NUMBERS;
            String function = name;
            Solver<S> solved = solver;
            Definition defined = definition;
            boolean hasKernel = onGpu;
            return new Signature<>(
                    names.stream()
                            .map(each -> new Parameter(each, type(each, series)))
                            .toList(),
                    result.apply(series),
                    (strategy, options) -> hasKernel
                            ? new SeriesUdf<>(function, points, solved, strategy, options)
                            : SeriesSolvers.udf(function, points, solved, strategy, options),
                    new InstanceGenerator(
                            (random, size) -> SeriesInstances.row(random, size, points, names), SMALL, large, growth),
                    row -> defined.solve(row, points));
        }

        private static DataType type(String name, DataType series) {
            return switch (name) {
                case "band", "power" -> IntegerType;
                case "max", "tolerance", "gap", "gamma" -> DoubleType;
                default -> series;
            };
        }
    }

    private static Problem<SeriesTable.Strategy> problem(String name) {
        return new Problem<>(name, SeriesTable.Strategy.class, SeriesTable.Strategy.SERIAL);
    }

    private static Form<SeriesTable.Strategy> table(
            String name,
            Problem<SeriesTable.Strategy> problem,
            Solver<SeriesTable.Strategy> solver,
            Definition definition) {
        return new Form<>(name, problem, solver, definition, LARGE, 2, true);
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(dtw(), dtwPath(), dtwSearch(), lcss(), edr(), erp(), frechet(), softDtw(), zNormalized());
    }

    private static BellmanFunction<?> dtw() {
        return new BellmanFunction<>(
                "dtw",
                DTW,
                table("dtw", DTW, SeriesSolvers::dtw, SeriesTextbook::dtw)
                        .signatures(
                                series -> DoubleType,
                                "a, b",
                                "a, b, band",
                                "a, b, band, max",
                                "a, b, band, max, power"),
                "The distance of two series by dynamic time warping, the same as in dtaidistance and tslearn: the "
                        + "root of the least sum of squared "
                        + "differences over all ways to align `a` and `b` from their first to their last points, "
                        + "where a point may be "
                        + "aligned to several. A series is an array of numbers, or of points: arrays of as many "
                        + "numbers each. `band` is Sakoe and "
                        + "Chiba's: the alignment stays at most so many points off the diagonal, or, if one series "
                        + "is longer, "
                        + "off the two diagonals through its ends. With `max`, Infinity if the distance is larger. "
                        + "With a `power` of 1 instead of 2, "
                        + "the least sum of absolute differences. Infinity beyond the range of DOUBLE.",
                Optional.of(NO_SERIES + EMPTY + BAND + "; a `max` that is NaN" + POWER),
                new Example("dtw(array(1, 2, 3, 5), array(1, 2, 2, 3, 4))", "1.0"));
    }

    private static BellmanFunction<?> dtwPath() {
        return new BellmanFunction<>(
                "dtw_path",
                DTW,
                table("dtw_path", DTW, SeriesSolvers::dtwPath, SeriesTextbook::dtwPath)
                        .signatures(series -> SeriesSolvers.PATH, "a, b", "a, b, band", "a, b, band, power"),
                "The distance of `dtw`, and an alignment that has it: the pairs of points, point `i` of `a` with "
                        + "point `j` of `b`, counted from 0. Of several, "
                        + "the one that, read from the end, steps back in both series if it can, and else in `a` if "
                        + "it can.",
                Optional.of(NO_SERIES + EMPTY + BAND + POWER + NO_DISTANCE),
                new Example("dtw_path(array(1, 2, 4), array(1, 2, 2, 3))", "{1.0, [{0, 0}, {1, 1}, {1, 2}, {2, 3}]}"));
    }

    private static BellmanFunction<?> dtwSearch() {
        return new BellmanFunction<>(
                "dtw_search",
                DTW,
                table("dtw_search", DTW, SeriesSolvers::dtwSearch, SeriesTextbook::dtwSearch)
                        .signatures(series -> SeriesSolvers.PART, "query, series", "query, series, power"),
                "The part of `series` with the least distance by `dtw` to `query`: the distance, and where the part "
                        + "begins and ends, counted from 0, the end "
                        + "exclusive. Of several, the one that ends first; of several that end there, the one whose "
                        + "alignment `dtw_path` "
                        + "would prefer.",
                Optional.of(NO_SERIES + EMPTY + POWER + NO_DISTANCE),
                new Example("dtw_search(array(2, 3), array(9, 9, 2, 2, 3, 9))", "{0.0, 3, 5}"));
    }

    private static BellmanFunction<?> lcss() {
        Problem<SeriesTable.Strategy> problem = problem("lcss");
        return new BellmanFunction<>(
                "lcss",
                problem,
                table("lcss", problem, SeriesSolvers::lcss, SeriesTextbook::lcss)
                        .signatures(series -> IntegerType, "a, b, tolerance", "a, b, tolerance, band"),
                "The length of the longest common subsequence of two series: the most pairs of points, in the order "
                        + "of both, that differ by at most `tolerance` "
                        + "in each dimension. Divided by the length of the shorter series, it is LCSS as a "
                        + "similarity. `band` is as in `dtw`.",
                Optional.of(NO_SERIES + TOLERANCE + BAND),
                new Example("lcss(array(1, 2, 3, 9), array(1.1, 3.2, 9), 0.25)", "3"));
    }

    private static BellmanFunction<?> edr() {
        Problem<SeriesTable.Strategy> problem = problem("edr");
        return new BellmanFunction<>(
                "edr",
                problem,
                table("edr", problem, SeriesSolvers::edr, SeriesTextbook::edr)
                        .signatures(series -> IntegerType, "a, b, tolerance", "a, b, tolerance, band"),
                "The edit distance on real sequences: the fewest insertions, deletions and substitutions of points "
                        + "that turn `a` into `b`, where points that "
                        + "differ by at most `tolerance` in each dimension are equal. `band` is as in `dtw`.",
                Optional.of(NO_SERIES + TOLERANCE + BAND),
                new Example("edr(array(1, 2, 3, 9), array(1.1, 3.2, 9), 0.25)", "1"));
    }

    private static BellmanFunction<?> erp() {
        Problem<SeriesTable.Strategy> problem = problem("erp");
        return new BellmanFunction<>(
                "erp",
                problem,
                table("erp", problem, SeriesSolvers::erp, SeriesTextbook::erp)
                        .signatures(series -> DoubleType, "a, b, gap", "a, b, gap, band"),
                "The edit distance with real penalty, a metric: the least cost of an alignment in which two points "
                        + "cost the sum of their absolute differences, and "
                        + "a point opposite none costs those from `gap`, usually 0. `band` is as in `dtw`.",
                Optional.of(NO_SERIES + "; a `gap` that is NaN or infinite" + BAND),
                new Example("erp(array(1, 2, 3), array(1, 3), 0)", "2.0"));
    }

    private static BellmanFunction<?> frechet() {
        Problem<SeriesTable.Strategy> problem = problem("frechet_distance");
        return new BellmanFunction<>(
                "frechet_distance",
                problem,
                table("frechet_distance", problem, SeriesSolvers::frechet, SeriesTextbook::frechet)
                        .signatures(series -> DoubleType, "a, b"),
                "The discrete Fréchet distance of two curves: of all alignments as in `dtw`, the least that the "
                        + "largest Euclidean distance of two aligned points "
                        + "can be.",
                Optional.of(NO_SERIES + EMPTY),
                new Example(
                        "frechet_distance(array(array(0, 0), array(1, 0), array(2, 0)), array(array(0, 1), array(2, "
                                + "1)))",
                        "1.4142135623730951"));
    }

    private static BellmanFunction<?> softDtw() {
        Problem<SoftDtw.Strategy> problem = new Problem<>("soft_dtw", SoftDtw.Strategy.class, SoftDtw.Strategy.SERIAL);
        return new BellmanFunction<>(
                "soft_dtw",
                problem,
                new Form<>("soft_dtw", problem, SeriesSolvers::softDtw, SeriesTextbook::softDtw, LARGE_SOFT, 2, true)
                        .signatures(series -> DoubleType, "a, b, gamma"),
                "Soft-DTW, the same as in tslearn: the sum of squares that `dtw` takes the root of, with the smooth "
                        + "minimum "
                        + "`-gamma * ln(exp(-x / gamma) + exp(-y / gamma) + exp(-z / gamma))` in place of the least "
                        + "of three. It may be negative.",
                Optional.of(NO_SERIES + EMPTY + "; a `gamma` that is not positive, NaN or infinite"),
                new Example("soft_dtw(array(1, 2, 3), array(1, 3), 1)", "0.12265356040414976"));
    }

    private static BellmanFunction<?> zNormalized() {
        Problem<ZNormalization.Strategy> problem =
                new Problem<>("z_normalization", ZNormalization.Strategy.class, ZNormalization.Strategy.SERIAL);
        return new BellmanFunction<>(
                "z_normalized",
                problem,
                new Form<>(
                                "z_normalized",
                                problem,
                                SeriesSolvers::zNormalized,
                                SeriesTextbook::zNormalized,
                                LARGE,
                                1,
                                false)
                        .signatures(series -> series, "series"),
                "A series with mean 0 and standard deviation 1 in each dimension, for the functions that compare "
                        + "shapes: `(x - mean) / deviation`, with the "
                        + "deviation of the whole population. Equal values become 0.",
                Optional.of(NO_SERIES + "; a deviation that leaves the range of DOUBLE"),
                new Example("z_normalized(array(1, 3, 1, 3))", "[-1.0, 1.0, -1.0, 1.0]"));
    }
}
