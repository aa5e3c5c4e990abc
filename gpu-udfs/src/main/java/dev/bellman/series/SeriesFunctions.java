package dev.bellman.series;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.FloatType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.series.SeriesSolvers.SeriesSolver;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Defines the functions on time series. */
public final class SeriesFunctions {
    static final DataType NUMBERS = DataTypes.createArrayType(DoubleType);
    static final DataType FLOATS = DataTypes.createArrayType(FloatType);
    static final DataType POINTS = DataTypes.createArrayType(NUMBERS);

    private static final Problem<SeriesTable.Strategy> DTW = problem("dtw");

    private static final String NO_SERIES = "an entry that is NULL, NaN or infinite; points of different dimensions";
    private static final String EMPTY = "; an empty series";
    private static final String BAND = "; a negative `band`";
    private static final String POWER = "; a `power` other than 1 or 2";
    private static final String NO_DISTANCE = "; a distance beyond the range of DOUBLE";
    private static final String TOLERANCE = "; a `tolerance` that is negative, NaN or infinite";

    private SeriesFunctions() {}

    /** Creates an entry with two signatures: for series of numbers, and for series of points. */
    private static <S extends Enum<S>> Entry<S> series(
            String name, Problem<S> problem, UnaryOperator<DataType> result, SeriesSolver<S> solver, String... names) {
        Entry<S> entry = Entry.of(name, problem);
        for (DataType series : List.of(NUMBERS, POINTS)) {
            signature(entry, series, result.apply(series), solver, names);
        }
        return entry;
    }

    private static <S extends Enum<S>> Entry<S> signature(
            Entry<S> entry, DataType series, DataType result, SeriesSolver<S> solver, String... names) {
        boolean hasPoints = series.equals(POINTS);
        boolean isFloat = series.equals(FLOATS);
        return entry.signature(
                Stream.of(names).map(each -> parameter(each, series)).toList(),
                result,
                (strategy, options, arguments) ->
                        solver.solve(new SeriesArguments(hasPoints, isFloat, arguments), strategy, options));
    }

    private static Parameter parameter(String name, DataType series) {
        return switch (name) {
            case "band" ->
                new Parameter(name, IntegerType, (function, band) -> SeriesArguments.band(function, (Integer) band))
                        .orElse(Integer.MAX_VALUE, "no limit");
            case "max" ->
                new Parameter(name, DoubleType, (function, max) -> SeriesArguments.max(function, (Double) max))
                        .orElse(Double.POSITIVE_INFINITY, "no limit");
            case "power" ->
                new Parameter(name, IntegerType, (function, power) -> SeriesArguments.power(function, (Integer) power))
                        .orElse(2);
            case "tolerance" ->
                new Parameter(
                        name,
                        DoubleType,
                        (function, tolerance) -> SeriesArguments.tolerance(function, (Double) tolerance));
            case "gap" ->
                new Parameter(
                        name, DoubleType, (function, gap) -> SeriesArguments.finite(function, name, (Double) gap));
            case "gamma" ->
                new Parameter(name, DoubleType, (function, gamma) -> SeriesArguments.gamma(function, (Double) gamma));
            default -> new Parameter(name, series);
        };
    }

    private static Problem<SeriesTable.Strategy> problem(String name) {
        return new Problem<>(name, SeriesTable.Strategy.class, SeriesTable.Strategy.SERIAL);
    }

    public static List<BellmanFunction<?>> list() {
        return List.of(dtw(), dtwPath(), dtwSearch(), lcss(), edr(), erp(), frechet(), softDtw(), zNormalized());
    }

    private static BellmanFunction<?> dtw() {
        String[] parameters = {"a", "b", "band", "max", "power"};
        Entry<SeriesTable.Strategy> entry = series("dtw", DTW, series -> DoubleType, SeriesSolvers::dtw, parameters);
        return signature(entry, FLOATS, DoubleType, SeriesSolvers::dtw, parameters)
                .kernels(SeriesTable.Strategy.AUTO, SeriesTable.Strategy.ANTI_DIAGONAL)
                .description("Returns the dynamic time warping distance between two series, as dtaidistance and "
                        + "tslearn do: the square root of the minimum sum of squared differences over all alignments "
                        + "of `a` and `b` from their first to their last points. A point may be aligned to several "
                        + "points. A series is an array of numbers, or of points, which are arrays of equal length. "
                        + "`band` is the Sakoe-Chiba band: the alignment stays within `band` points of the diagonal. "
                        + "If the series differ in length, the alignment stays between the two diagonals through the "
                        + "table's first and last cells, or within `band` points of one of them. If `max` is given, "
                        + "returns Infinity for larger distances. If `power` is 1 instead of 2, returns the minimum "
                        + "sum of absolute differences. If both series are `ARRAY<FLOAT>`, the sums are computed in "
                        + "FLOAT, which is faster. Returns Infinity for sums beyond the range of DOUBLE or FLOAT.")
                .rejects(NO_SERIES + EMPTY + BAND + "; a `max` that is NaN" + POWER)
                .example("dtw(array(1, 2, 3, 5), array(1, 2, 2, 3, 4))", "1.0")
                .function();
    }

    private static BellmanFunction<?> dtwPath() {
        return series("dtw_path", DTW, series -> SeriesSolvers.PATH, SeriesSolvers::dtwPath, "a", "b", "band", "power")
                .kernels(SeriesTable.Strategy.AUTO, SeriesTable.Strategy.ANTI_DIAGONAL)
                .description("Returns the `dtw` distance and an alignment with that distance: pairs of a point `i` of "
                        + "`a` and a point `j` of `b`, counted from 0. Ties are broken while tracing back from the "
                        + "last points: the alignment steps back in both series if possible, otherwise in `a` if "
                        + "possible.")
                .rejects(NO_SERIES + EMPTY + BAND + POWER + NO_DISTANCE)
                .example("dtw_path(array(1, 2, 4), array(1, 2, 2, 3))", "{1.0, [{0, 0}, {1, 1}, {1, 2}, {2, 3}]}")
                .function();
    }

    private static BellmanFunction<?> dtwSearch() {
        return series(
                        "dtw_search",
                        DTW,
                        series -> SeriesSolvers.PART,
                        SeriesSolvers::dtwSearch,
                        "query",
                        "series",
                        "power")
                .kernels(SeriesTable.Strategy.AUTO, SeriesTable.Strategy.ANTI_DIAGONAL)
                .description("Returns the part of `series` with the smallest `dtw` distance to `query`: the distance, "
                        + "and the start and end positions of the part (0-based, end exclusive). Ties: the part that "
                        + "ends first; among parts with the same end, the part found by tracing back as in `dtw_path`.")
                .rejects(NO_SERIES + EMPTY + POWER + NO_DISTANCE)
                .example("dtw_search(array(2, 3), array(9, 9, 2, 2, 3, 9))", "{0.0, 3, 5}")
                .function();
    }

    private static BellmanFunction<?> lcss() {
        return series(
                        "lcss",
                        problem("lcss"),
                        series -> IntegerType,
                        SeriesSolvers::lcss,
                        "a",
                        "b",
                        "tolerance",
                        "band")
                .kernels(SeriesTable.Strategy.AUTO, SeriesTable.Strategy.ANTI_DIAGONAL)
                .description("Returns the length of the longest common subsequence of two series: the maximum number "
                        + "of points that can be paired in the order of both series, if paired points may differ by "
                        + "at most `tolerance` in each dimension. This length divided by the length of the shorter "
                        + "series is the LCSS similarity. `band` is as in `dtw`.")
                .rejects(NO_SERIES + TOLERANCE + BAND)
                .example("lcss(array(1, 2, 3, 9), array(1.1, 3.2, 9), 0.25)", "3")
                .function();
    }

    private static BellmanFunction<?> edr() {
        return series("edr", problem("edr"), series -> IntegerType, SeriesSolvers::edr, "a", "b", "tolerance", "band")
                .kernels(SeriesTable.Strategy.AUTO, SeriesTable.Strategy.ANTI_DIAGONAL)
                .description("Returns the edit distance on real sequences: the minimum number of "
                        + "insertions, deletions and substitutions of points that turn `a` into `b`. Points "
                        + "that differ by at most `tolerance` in each dimension count as equal. `band` is as in `dtw`.")
                .rejects(NO_SERIES + TOLERANCE + BAND)
                .example("edr(array(1, 2, 3, 9), array(1.1, 3.2, 9), 0.25)", "1")
                .function();
    }

    private static BellmanFunction<?> erp() {
        return series("erp", problem("erp"), series -> DoubleType, SeriesSolvers::erp, "a", "b", "gap", "band")
                .kernels(SeriesTable.Strategy.AUTO, SeriesTable.Strategy.ANTI_DIAGONAL)
                .description("Returns the edit distance with real penalty: the minimum cost of an alignment. Two "
                        + "aligned points cost the sum of their absolute differences in all dimensions. An unaligned "
                        + "point costs the sum of its absolute differences from `gap`, which is usually 0. `band` is "
                        + "as in `dtw`; without it, the distance satisfies the triangle inequality.")
                .rejects(NO_SERIES + "; a `gap` that is NaN or infinite" + BAND)
                .example("erp(array(1, 2, 3), array(1, 3), 0)", "2.0")
                .function();
    }

    private static BellmanFunction<?> frechet() {
        return series(
                        "frechet_distance",
                        problem("frechet_distance"),
                        series -> DoubleType,
                        SeriesSolvers::frechet,
                        "a",
                        "b")
                .kernels(SeriesTable.Strategy.AUTO, SeriesTable.Strategy.ANTI_DIAGONAL)
                .description("Returns the discrete Fréchet distance between two curves: the largest Euclidean "
                        + "distance between two aligned points, in the alignment (as in `dtw`) that minimizes this "
                        + "distance.")
                .rejects(NO_SERIES + EMPTY)
                .example(
                        "frechet_distance(array(array(0, 0), array(1, 0), array(2, 0)), array(array(0, 1), array(2, "
                                + "1)))",
                        "1.4142135623730951")
                .function();
    }

    private static BellmanFunction<?> softDtw() {
        Problem<SoftDtw.Strategy> problem = new Problem<>("soft_dtw", SoftDtw.Strategy.class, SoftDtw.Strategy.SERIAL);
        return series("soft_dtw", problem, series -> DoubleType, SeriesSolvers::softDtw, "a", "b", "gamma")
                .kernels(SoftDtw.Strategy.AUTO)
                .description("Returns the soft-DTW value of two series, as tslearn does: like `dtw` without the "
                        + "square root, but with the smooth minimum `-gamma * ln(exp(-x / gamma) + exp(-y / gamma) + "
                        + "exp(-z / gamma))` instead of the minimum of three numbers. The result may be negative.")
                .rejects(NO_SERIES + EMPTY + "; a `gamma` that is zero, negative, NaN or infinite")
                .example("soft_dtw(array(1, 2, 3), array(1, 3), 1)", "0.12265356040414976")
                .function();
    }

    private static BellmanFunction<?> zNormalized() {
        Problem<ZNormalization.Strategy> problem =
                new Problem<>("z_normalization", ZNormalization.Strategy.class, ZNormalization.Strategy.SERIAL);
        return series("z_normalized", problem, series -> series, SeriesSolvers::zNormalized, "series")
                .kernels(ZNormalization.Strategy.AUTO)
                .description("Returns a series scaled to mean 0 and standard deviation 1 in each dimension, so that "
                        + "shapes can be compared: `(x - mean) / deviation`, with the population standard deviation. "
                        + "If all values in a dimension are equal, their results are 0.")
                .rejects(NO_SERIES + "; a dimension whose variance overflows, or underflows although its values differ")
                .example("z_normalized(array(1, 3, 1, 3))", "[-1.0, 1.0, -1.0, 1.0]")
                .function();
    }
}
