package dev.bellman.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.columns.Arguments;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.function.Catalogue;
import dev.bellman.proof.Values;
import dev.bellman.series.SeriesSolvers.SeriesSolver;
import dev.bellman.series.SeriesTable.Strategy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests distances between time series. */
class SeriesTest {
    private static final int INSTANCES = 100;
    private static final double RELATIVE = 1e-12;

    static List<BellmanFunction<?>> functions() {
        return SeriesFunctions.list();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void equalsTheTextbook(BellmanFunction<?> function) {
        TextbookAnswers.compare(function, 1978, INSTANCES, 40);
    }

    private static Object solve(String name, boolean points, Strategy strategy, Object... arguments) {
        return switch (name) {
            case "dtw" -> solve(name, points, SeriesSolvers::dtw, strategy, arguments);
            case "dtw_search" -> solve(name, points, SeriesSolvers::dtwSearch, strategy, arguments);
            case "lcss" -> solve(name, points, SeriesSolvers::lcss, strategy, arguments);
            case "edr" -> solve(name, points, SeriesSolvers::edr, strategy, arguments);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static <S extends Enum<S>> Object solve(
            String name, boolean points, SeriesSolver<S> solver, S strategy, Object... arguments) {
        BellmanFunction<?> function = Catalogue.named(name).orElseThrow();
        List<Parameter> parameters = function.overloads().get(0).parameters();
        Object[] all = Arrays.copyOf(arguments, parameters.size());
        for (int i = arguments.length; i < all.length; i++) {
            all[i] = parameters.get(i).ifAbsent().orElseThrow().value();
        }
        return solver.solve(
                new SeriesArguments(points, false, new Arguments(name, all)), strategy, FunctionOptions.DEFAULT);
    }

    /** Compares with dtaidistance, tslearn and rapidfuzz. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        Map<String, Map<String, String>> rows = Golden.rows("series.gold");
        assertThat(rows.size()).isGreaterThanOrEqualTo(150);
        rows.values().forEach(row -> compare(row, strategy));
    }

    private static void compare(Map<String, String> row, Strategy strategy) {
        double[] x = numbers(row.get("a"));
        double[] y = numbers(row.get("b"));
        ArrayData a = Values.array(x);
        ArrayData b = Values.array(y);
        int band = Integer.parseInt(row.get("band"));
        double tolerance = Double.parseDouble(row.get("tolerance"));
        double gamma = Double.parseDouble(row.get("gamma"));
        double none = Double.POSITIVE_INFINITY;
        close(row, "dtw", solve("dtw", false, strategy, a, b));
        close(row, "dtw_band", solve("dtw", false, strategy, a, b, band));
        close(row, "dtw_absolute", solve("dtw", false, strategy, a, b, Integer.MAX_VALUE, none, 1));
        close(row, "dtw_points", solve("dtw", true, strategy, points(x), points(y)));
        boolean shorter = x.length <= y.length;
        Row found = (Row) solve("dtw_search", false, strategy, shorter ? a : b, shorter ? b : a);
        close(row, "search", found.getDouble(0));
        assertThat(solve("lcss", false, strategy, a, b, tolerance)).isEqualTo(Integer.valueOf(row.get("lcss")));
        assertThat(solve("edr", false, strategy, floors(x), floors(y), tolerance))
                .isEqualTo(Integer.valueOf(row.get("edr_of_floors")));
        close(row, "soft_dtw", solve("soft_dtw", false, SeriesSolvers::softDtw, SoftDtw.Strategy.AUTO, a, b, gamma));
    }

    private static void close(Map<String, String> row, String column, Object found) {
        double expected = Double.parseDouble(row.get(column));
        assertThat((Double) found)
                .as("%s of row %s", column, row.get("id"))
                .isCloseTo(expected, within(RELATIVE * Math.max(1, Math.abs(expected))));
    }

    private static double[] numbers(String text) {
        return Arrays.stream(text.split(",")).mapToDouble(Double::parseDouble).toArray();
    }

    private static ArrayData floors(double[] numbers) {
        return Values.array(Arrays.stream(numbers).map(Math::floor).toArray());
    }

    /** Forms points by pairing each number with the number at the same position from the end. */
    private static ArrayData points(double[] numbers) {
        Object[] points = new Object[numbers.length];
        Arrays.setAll(points, i -> Values.array(numbers[i], numbers[numbers.length - 1 - i]));
        return Values.arrayOf(points);
    }

    /** A path that is computed from stored diagonals equals the path in the whole table. */
    @Test
    void longPaths() {
        SplittableRandom random = new SplittableRandom(1994);
        for (int band : new int[] {3, 90, Integer.MAX_VALUE}) {
            for (int[] size : new int[][] {{1_500, 1_100}, {6, 200_000}}) {
                Series a = new Series(
                        size[0], 1, random.ints(size[0], 0, 3).asDoubleStream().toArray());
                Series b = new Series(
                        size[1], 1, random.ints(size[1], 0, 3).asDoubleStream().toArray());
                SeriesTable table = SeriesTable.of(a, b, CellRule.ABSOLUTE, 0, band);
                assertThat(WarpingPath.to(table, size[0], size[1]).toArray(int[][]::new))
                        .isDeepEqualTo(WarpingPath.ofRows(table, size[1]).toArray(int[][]::new));
            }
        }
    }

    /** Tests limits that equal the distance, and limits that are one DOUBLE below it. */
    @Test
    void limits() {
        SplittableRandom random = new SplittableRandom(2002);
        for (int round = 0; round < 300; round++) {
            double[] x = random.doubles(1 + random.nextInt(80)).toArray();
            double[] y = random.doubles(1 + random.nextInt(80)).toArray();
            for (Strategy strategy : Strategy.values()) {
                double distance = (Double) solve("dtw", false, strategy, Values.array(x), Values.array(y));
                for (double max : new double[] {distance, Math.nextDown(distance)}) {
                    assertThat(solve("dtw", false, strategy, Values.array(x), Values.array(y), Integer.MAX_VALUE, max))
                            .isEqualTo(max < distance ? Double.POSITIVE_INFINITY : distance);
                }
            }
        }
    }

    /** Lower bounds never exceed the distance, not even by rounding, and often exceed a third of it. */
    @Test
    void lowerBounds() {
        SplittableRandom random = new SplittableRandom(2001);
        int rounds = Thorough.rounds(10_000, 1_000_000);
        int decided = 0;
        for (int round = 0; round < rounds; round++) {
            int dimensions = 1 + random.nextInt(2);
            int kind = random.nextInt(4);
            Series a = anySeries(random, dimensions, kind);
            Series b = anySeries(random, dimensions, kind);
            CellRule rule = random.nextBoolean() ? CellRule.SQUARED : CellRule.ABSOLUTE;
            int band = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(6);
            SeriesTable table = SeriesTable.of(a, b, rule, 0, band);
            double last = table.last(Strategy.SERIAL);
            assertThat(WarpingBounds.exceed(table, last)).isFalse();
            decided += WarpingBounds.exceed(table, last / 3) ? 1 : 0;
            if (dimensions == 1) {
                assertNoBoundAbove(inFloat(table, band));
            }
        }
        assertThat(decided).isGreaterThan(rounds / 6);
        // the ends are equal, but the first series has a peak, and the second has none
        double[] peak = new double[40];
        peak[9] = 3;
        SeriesTable table =
                SeriesTable.of(new Series(40, 1, peak), new Series(40, 1, new double[40]), CellRule.SQUARED, 0, 2);
        assertThat(WarpingBounds.exceed(table, 8)).isTrue();
        assertThat(WarpingBounds.exceed(table, 9)).isFalse();
    }

    private static SeriesTable inFloat(SeriesTable table, int band) {
        CellRule rule = table.rule.isSquared() ? CellRule.SQUARED_FLOAT : CellRule.ABSOLUTE_FLOAT;
        return SeriesTable.of(inFloat(table.a), inFloat(table.b), rule, 0, band);
    }

    private static Series inFloat(Series series) {
        double[] values =
                Arrays.stream(series.values()).map(value -> (float) value).toArray();
        for (int i = 0; i < values.length; i++) {
            values[i] = Double.isInfinite(values[i]) ? Float.MAX_VALUE : values[i];
        }
        return new Series(series.length(), 1, values);
    }

    private static void assertNoBoundAbove(SeriesTable table) {
        assertThat(WarpingBounds.exceed(table, table.last(Strategy.SERIAL))).isFalse();
    }

    /**
     * The computation uses FLOAT, in which sums of 0.1F differ from those in DOUBLE. A mixed pair is computed in
     * DOUBLE.
     */
    @ParameterizedTest
    @EnumSource
    void floats(Strategy strategy) {
        float[] x = new float[1_000];
        Arrays.fill(x, 0.1F);
        float sum = 0;
        for (float each : x) {
            sum += each;
        }
        BellmanFunction<?> dtw = functions().get(0);
        Object[] arguments = {
            Values.array(x), Values.array(new float[1_000]), Integer.MAX_VALUE, Double.POSITIVE_INFINITY, 1
        };
        assertThat(SeriesSolvers.dtw(
                        new SeriesArguments(false, true, new Arguments("dtw", arguments)),
                        strategy,
                        FunctionOptions.DEFAULT))
                .isEqualTo((double) sum);
        assertThat(overload(dtw, SeriesFunctions.FLOATS, SeriesFunctions.FLOATS))
                .isEqualTo(2);
        assertThat(overload(dtw, SeriesFunctions.FLOATS, SeriesFunctions.NUMBERS))
                .isZero();
        assertThat(overload(dtw, SeriesFunctions.NUMBERS, SeriesFunctions.NUMBERS))
                .isZero();
        DataType integers = DataTypes.createArrayType(DataTypes.IntegerType);
        assertThat(overload(dtw, integers, integers)).isZero();
        assertThat(overload(dtw, integers, SeriesFunctions.FLOATS)).isZero();
    }

    private static int overload(BellmanFunction<?> function, DataType a, DataType b) {
        return function.signature(List.of(a, b)).orElseThrow().overload();
    }

    /** Returns a series with few distinct values, with decimals, with values of all magnitudes, or a random walk. */
    private static Series anySeries(SplittableRandom random, int dimensions, int kind) {
        double[] values = new double[dimensions * (1 + random.nextInt(random.nextInt(3) == 0 ? 60 : 12))];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (kind) {
                case 0 -> random.nextInt(3);
                case 1 -> random.nextInt(100) / 10.0;
                case 2 -> StrictMath.scalb(random.nextDouble() - 0.5, random.nextInt(-600, 600));
                default -> (i == 0 ? 0 : values[i - 1]) + random.nextDouble() - 0.5;
            };
        }
        return new Series(values.length / dimensions, dimensions, values);
    }

    @Test
    void messages() {
        assertThatThrownBy(() -> solve("dtw", false, Strategy.AUTO, Values.array(1.0), Values.arrayOf(2.0, null)))
                .hasMessage(
                        "[BELLMAN_INPUT_VALUE] dtw: entry 2 of b (counted from 1) is NULL; it must be a finite number."
                                + " Correct the row, or use try_dtw, which returns NULL");
        assertThatThrownBy(() -> solve("dtw", false, Strategy.AUTO, Values.array(1.0), Values.array(2.0), -1))
                .hasMessageContaining("dtw: band is -1; it must be at least 0");
        assertThatThrownBy(() ->
                        solve("dtw", true, Strategy.AUTO, points(new double[2]), Values.arrayOf(Values.array(1.0))))
                .hasMessageContaining(
                        "dtw: the points of a have 2 numbers, but the points of b have 1; the dimensions must match");
    }
}
