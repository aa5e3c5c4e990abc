package dev.bellman.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.bellman.FunctionOptions;
import dev.bellman.TextbookAnswers;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.Solver;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.proof.Values;
import dev.bellman.segment.ChangePoints.Strategy;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests change points, bins and fits. */
class SegmentTest {
    private static final int INSTANCES = 150;

    static List<BellmanFunction<?>> functions() {
        return SegmentFunctions.list();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void equalsTheTextbook(BellmanFunction<?> function) {
        TextbookAnswers.compare(function, 2012, INSTANCES, 24);
    }

    static Object call(String name, Strategy strategy, Object... arguments) {
        Object answer = TextbookAnswers.call(name, strategy, arguments);
        return answer instanceof Row row
                ? Arrays.deepToString(new Object[] {row.get(0), row.get(1), row.get(2)})
                : answer;
    }

    /** Returns a series whose level changes from time to time, with noise and occasional outliers. */
    private static ArrayData series(SplittableRandom random, int count, int length, double outlier) {
        double[] values = new double[count];
        double level = 0;
        for (int i = 0; i < count; i++) {
            level = random.nextInt(length) == 0 ? random.nextInt(20) : level;
            values[i] = random.nextInt(500) == 0 ? outlier : level + random.nextDouble() * 3;
        }
        return Values.array(values);
    }

    /** An offset does not change the result, even if it is much larger than the deviations. */
    @ParameterizedTest
    @ValueSource(strings = {"l2", "normal"})
    void offsets(String cost) {
        SplittableRandom random = new SplittableRandom(15);
        for (int round = 0; round < 200; round++) {
            double[] values = new double[24];
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextInt(i < 12 ? 8 : 16) + (i < 12 ? 0 : 4);
            }
            Object[] arguments = {Values.array(values), 12.0, UTF8String.fromString(cost), 2};
            int[] expected = (int[]) call("change_points", Strategy.AUTO, arguments);
            for (double offset : new double[] {1e9, -1e12, 1e15, -3e15}) {
                arguments[0] = Values.array(
                        Arrays.stream(values).map(value -> value + offset).toArray());
                for (Strategy strategy : Strategy.values()) {
                    assertThat((int[]) call("change_points", strategy, arguments))
                            .isEqualTo(expected);
                }
            }
        }
    }

    /** Pruning does not change the results. The series are too long for the textbook. */
    @ParameterizedTest
    @ValueSource(strings = {"l2", "normal", "poisson", "l1"})
    void pruning(String cost) {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 6; round++) {
            ArrayData values = series(random, 300 + random.nextInt(900), 20 + random.nextInt(200), 1e6 * (round % 3));
            int minSize = 1 + random.nextInt(5) * random.nextInt(5);
            Object[] arguments = {values, random.nextDouble() * 40, UTF8String.fromString(cost), minSize};
            assertThat((int[]) call("change_points", Strategy.AUTO, arguments))
                    .isEqualTo(call("change_points", Strategy.SERIAL, arguments));
            arguments[1] = random.nextInt(6);
            assertThat((int[]) call("change_points_of", Strategy.AUTO, arguments))
                    .isEqualTo(call("change_points_of", Strategy.SERIAL, arguments));
        }
    }

    /** Compares the strategies for points of up to 40 dimensions, every third of which is constant. */
    @ParameterizedTest
    @ValueSource(strings = {"l2", "normal", "poisson", "l1"})
    void pruningOfPoints(String cost) {
        SplittableRandom random = new SplittableRandom(5);
        for (int dimensions : new int[] {1, 2, 3, 40}) {
            int count = 400 / (dimensions + 1) + 100;
            double[][] series = new double[dimensions][];
            for (int k = 0; k < dimensions; k++) {
                series[k] = k % 3 == 2
                        ? new double[count]
                        : series(random, count, 30, 1e6 * (k % 2)).toDoubleArray();
            }
            Object[] points = new Object[count];
            Arrays.setAll(
                    points,
                    i -> Values.array(
                            Arrays.stream(series).mapToDouble(each -> each[i]).toArray()));
            int minSize = 1 + random.nextInt(5);
            Object[] arguments = {Values.arrayOf(points), random.nextDouble() * 40, UTF8String.fromString(cost), minSize
            };
            assertThat((int[]) callOfPoints("change_points", Strategy.AUTO, arguments))
                    .isEqualTo(callOfPoints("change_points", Strategy.SERIAL, arguments))
                    .isNotEmpty();
            arguments[1] = 4;
            assertThat((int[]) callOfPoints("change_points_of", Strategy.AUTO, arguments))
                    .isEqualTo(callOfPoints("change_points_of", Strategy.SERIAL, arguments));
        }
    }

    static Object callOfPoints(String name, Strategy strategy, Object... arguments) {
        Solver<Strategy> solver =
                name.equals("change_points") ? SegmentSolvers.changePoints(true) : SegmentSolvers.changePointsOf(true);
        return solver.solve(strategy, FunctionOptions.DEFAULT, new Arguments(name, arguments));
    }

    @Test
    void longSeries() {
        SplittableRandom random = new SplittableRandom(4);
        for (int round = 0; round < 6; round++) {
            ArrayData values = series(random, 1_500, 100, 50);
            assertThat((Object[]) call("piecewise_linear", Strategy.AUTO, values, 30.0))
                    .isEqualTo(call("piecewise_linear", Strategy.SERIAL, values, 30.0));
            assertThat(call("optimal_bins", Strategy.AUTO, values, 9))
                    .isEqualTo(call("optimal_bins", Strategy.SERIAL, values, 9));
            double[] steps =
                    Arrays.stream(values.toDoubleArray()).map(Math::rint).toArray();
            assertThat(call("optimal_bins", Strategy.AUTO, Values.array(steps), 7))
                    .isEqualTo(call("optimal_bins", Strategy.SERIAL, Values.array(steps), 7));
        }
    }

    /** Tests means that are equal after rounding. */
    @Test
    void nearlyEqualMeans() {
        double above = Math.nextUp(3.5);
        ArrayData values = Values.array(3.5, above, above, 3.5);
        assertThat(call("isotonic", Strategy.AUTO, values, Values.array(1, 0.7000000000000001, 0.2, 0.9)))
                .isEqualTo(new double[] {3.5, above, above, above});
    }

    /**
     * Tests exact means of any magnitude, and exact costs, that are halfway between two numbers of type DOUBLE: the
     * result is the even one.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, -30, -60, -90, -200, -900, -1074})
    void halfway(int exponent) {
        double scale = Math.scalb(1.0, exponent);
        int integers = exponent == -1074 ? 0 : 1 << 30;
        for (int low = 0; low < 40; low++) {
            double even = integers * (double) (1 << 22) + low + low % 2;
            ArrayData values = Values.array(
                    scale * (integers * (double) (1 << 22) + low + 1), scale * (integers * (double) (1 << 22) + low));
            double[] expected = {scale * even, scale * even};
            assertThat(call("isotonic", Strategy.AUTO, values)).isEqualTo(expected);
            assertThat(call("isotonic", Strategy.AUTO, values, Values.array(3.0, 3.0)))
                    .isEqualTo(expected);
        }
        if (exponent >= -200) {
            double difference = (1 << 27) - 1;
            double[] bins = {0, scale * difference};
            assertThat(new OptimalBins(bins)
                            .into("optimal_bins", 1, OptimalBins.Strategy.AUTO)
                            .cost())
                    .isEqualTo(scale * scale * (0x1p53 - 0x1p27));
        }
    }

    /** Tests bins whose exact costs are equal but whose rounded costs differ, and change points of equal values. */
    @Test
    void ties() {
        for (double step : new double[] {1, 0.1, 1 / 3.0}) {
            for (int count = 2; count < 60; count++) {
                double[] grid = new double[count];
                Arrays.setAll(grid, i -> step * i);
                for (int bins = 1; bins <= count; bins += 1 + count / 9) {
                    assertThat(call("optimal_bins", Strategy.AUTO, Values.array(grid), bins))
                            .isEqualTo(call("optimal_bins", Strategy.SERIAL, Values.array(grid), bins));
                }
            }
        }
        double[] equal = new double[30];
        Arrays.fill(equal, 0.1);
        for (Strategy strategy : Strategy.values()) {
            for (String cost : List.of("l2", "l1")) {
                assertThat((int[]) call(
                                "change_points", strategy, Values.array(equal), 0.0, UTF8String.fromString(cost), 1))
                        .isEmpty();
            }
            assertThat((int[]) call("change_points_of", strategy, Values.array(equal), 3))
                    .containsExactly(2, 4, 6);
        }
    }

    @Test
    void criterionMessages() {
        double[] values = {1, 2, 3};
        assertThatThrownBy(() -> InformationCriterion.check("change_points", "aic"))
                .hasMessageContaining("change_points: penalty is the string 'aic'; it must be a number or 'bic'");
        assertThatThrownBy(() -> InformationCriterion.penalty("change_points", "l1", values))
                .hasMessageContaining("penalty is 'bic', which requires the cost l2, normal or poisson");
        // a constant cost is checked when the query is planned
        List<Parameter> costs = SegmentFunctions.list().get(0).signatures().stream()
                .filter(signature -> signature.parameters().get(1).type().equals(DataTypes.StringType))
                .flatMap(signature -> signature.parameters().stream())
                .filter(parameter -> parameter.name().equals("cost"))
                .toList();
        assertThat(costs).isNotEmpty();
        for (Parameter cost : costs) {
            cost.check().accept("change_points", "poisson");
            assertThatThrownBy(() -> cost.check().accept("change_points", "l1"))
                    .hasMessageContaining("change_points: penalty is 'bic', which requires the cost l2, normal or");
            assertThatThrownBy(() -> cost.check().accept("change_points", "l3")).hasMessageContaining("cost is 'l3'");
        }
        assertThat(InformationCriterion.penalty("change_points", "l2", new double[0]))
                .isZero();
        assertThat(InformationCriterion.penalty("change_points", "poisson", values))
                .isEqualTo(2 * StrictMath.log(3));
    }

    @Test
    void logarithms() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 200_000; i++) {
            double x = i % 3 == 0
                    ? StrictMath.scalb(1 + random.nextDouble(), random.nextInt(-1_000, 1_000))
                    : i % 3 == 1 ? 4 * random.nextDouble() + 1e-9 : 1 + (random.nextInt(400) - 200) * 0x1p-22;
            assertEquals(StrictMath.log(x), Logarithm.of(x));
        }
    }

    @Test
    void messages() {
        ArrayData values = Values.array(1.0, 2.0, -3.0);
        assertThatThrownBy(() -> call("change_points", Strategy.AUTO, values, -1.0))
                .hasMessage(
                        "[BELLMAN_INPUT_VALUE] change_points: penalty is -1.0; it must be a number from 0 to 1e100");
        assertThatThrownBy(() -> call("change_points", Strategy.AUTO, values, 1.0, UTF8String.fromString("l3")))
                .hasMessageContaining("cost is 'l3'; it must be l2, normal, poisson or l1");
        assertThatThrownBy(() -> call("change_points", Strategy.AUTO, values, 1.0, UTF8String.fromString("poisson")))
                .hasMessageContaining("entry 3 of values (counted from 1) is -3.0; it must be at least 0, because the "
                        + "cost is 'poisson'");
        assertThatThrownBy(() -> call("change_points_of", Strategy.AUTO, values, 1))
                .hasMessageContaining(
                        "count is 1 and min_size is 2, which requires a series of at least 4 values; the length of the "
                                + "series is 3");
        Object[] points = {
            Values.arrayOf(Values.array(1.0, 2.0), Values.array(3.0, -4.0)), 1.0, UTF8String.fromString("poisson"), 1
        };
        assertThatThrownBy(() -> callOfPoints("change_points", Strategy.AUTO, points))
                .hasMessageContaining("entry 2 of entry 2 of values (counted from 1) is -4.0; it must be at least 0, "
                        + "because the cost is 'poisson'");
        points[0] = Values.arrayOf(Values.array(1.0, 2.0), Values.array(3.0));
        assertThatThrownBy(() -> callOfPoints("change_points", Strategy.AUTO, points))
                .hasMessageContaining("entry 2 of values (counted from 1) has 1 numbers; each entry must have as many "
                        + "numbers as the first entry, and at least one");
        assertThatThrownBy(() -> call("isotonic", Strategy.AUTO, values, Values.array(1.0)))
                .hasMessageContaining("weights has 1 entries, but values has 3; the sizes must match");
        assertThatThrownBy(() -> call("optimal_bins", Strategy.AUTO, Values.array(1e101), 2))
                .hasMessageContaining("is 1.0E101; it must be a number from -1e100 to 1e100");
    }
}
