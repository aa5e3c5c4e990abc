package dev.bellman.segment;

import static dev.bellman.segment.SegmentTest.call;
import static dev.bellman.segment.SegmentTest.callOfPoints;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.columns.Arguments;
import dev.bellman.proof.Values;
import dev.bellman.segment.ChangePoints.Strategy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares change points, bins and fits with other tools. */
class SegmentGoldenTest {
    /** Compares with ruptures, ckwrap and scikit-learn. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        Map<String, Map<String, String>> rows = Golden.rows("segment.gold");
        assertThat(rows.size()).isGreaterThanOrEqualTo(150);
        rows.values().forEach(row -> compare(row, strategy));
    }

    /** Compares with scipy and ruptures, with the penalty of the Bayesian information criterion. */
    @ParameterizedTest
    @EnumSource
    void goldenCriterion(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("segment_bic.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(60);
        for (Map<String, String> row : rows) {
            double[] values = numbers(row.get("values"));
            assertThat(InformationCriterion.penalty("change_points", row.get("cost"), values))
                    .isCloseTo(Double.parseDouble(row.get("penalty")), withinPercentage(1e-10));
            UTF8String cost = UTF8String.fromString(row.get("cost"));
            assertThat(SegmentSolvers.changePointsByCriterion(false)
                            .solve(
                                    strategy,
                                    FunctionOptions.DEFAULT,
                                    new Arguments(
                                            "change_points",
                                            Values.array(values),
                                            UTF8String.fromString("bic"),
                                            cost,
                                            2)))
                    .as(row.get("id"))
                    .isEqualTo(places(row.get("change_points")));
        }
    }

    /** Compares with ruptures for lines. The segments may differ if their costs are equal. */
    @ParameterizedTest
    @EnumSource
    void goldenLines(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("segment_lines.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(100);
        int same = 0;
        for (Map<String, String> row : rows) {
            double[] values = numbers(row.get("values"));
            double penalty = Double.parseDouble(row.get("penalty"));
            double[] slopes = numbers(row.get("slopes"));
            double[] fits = numbers(row.get("fits"));
            Object[] lines = (Object[]) call("piecewise_linear", strategy, Values.array(values), penalty);
            boolean isSame = lines.length == slopes.length;
            double cost = 0;
            for (int k = 0; k < lines.length; k++) {
                Row line = (Row) lines[k];
                for (int i = line.getInt(0); i < line.getInt(1); i++) {
                    double rest = values[i] - line.getDouble(2) - line.getDouble(3) * (i - line.getInt(0));
                    cost += rest * rest;
                }
                isSame = isSame
                        && Math.abs(line.getDouble(2) - fits[k]) < 1e-9
                        && Math.abs(line.getDouble(3) - slopes[k]) < 1e-9;
            }
            assertThat(cost + lines.length * penalty)
                    .as(row.get("id"))
                    .isCloseTo(Double.parseDouble(row.get("cost")), within(1e-8));
            same += isSame ? 1 : 0;
        }
        assertThat(same).isGreaterThanOrEqualTo(95);
    }

    /** Compares with ruptures for points of several dimensions. */
    @ParameterizedTest
    @EnumSource
    void goldenPoints(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("segment_points.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(100);
        for (Map<String, String> row : rows) {
            Object[] points = Arrays.stream(row.get("values").split(";"))
                    .map(point -> Values.array(numbers(point)))
                    .toArray();
            Object[] arguments = {
                Values.arrayOf(points),
                Double.valueOf(row.get("penalty")),
                UTF8String.fromString(row.get("cost")),
                Integer.valueOf(row.get("min_size"))
            };
            SegmentCost cost = SegmentCost.ofPoints(
                    "change_points", row.get("cost"), SegmentArguments.points("change_points", (ArrayData)
                            arguments[0]));
            int[] found = (int[]) callOfPoints("change_points", strategy, arguments);
            int[] expected = places(row.get("change_points"));
            assertThat(cost(cost, points.length, found) + found.length * (double) arguments[1])
                    .as(row.get("id"))
                    .isCloseTo(Double.parseDouble(row.get("change_cost")), within(1e-8));
            arguments[1] = Integer.valueOf(row.get("count"));
            int[] foundOfCount = (int[]) callOfPoints("change_points_of", strategy, arguments);
            int[] expectedOfCount = places(row.get("points"));
            assertThat(cost(cost, points.length, foundOfCount))
                    .isCloseTo(Double.parseDouble(row.get("points_cost")), within(1e-8));
            if (!row.get("cost").equals("l1")) {
                assertThat(found).as(row.get("id")).isEqualTo(expected);
                assertThat(foundOfCount).as(row.get("id")).isEqualTo(expectedOfCount);
            }
        }
    }

    private static double[] numbers(String text) {
        return Arrays.stream(text.split(" "))
                .filter(each -> !each.isEmpty())
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static int[] places(String text) {
        return Arrays.stream(numbers(text)).mapToInt(each -> (int) each).toArray();
    }

    private static void compare(Map<String, String> row, Strategy strategy) {
        double[] values = numbers(row.get("values"));
        UTF8String cost = UTF8String.fromString(row.get("cost"));
        int minSize = Integer.parseInt(row.get("min_size"));
        int[] ofCount = (int[]) call(
                "change_points_of", strategy, Values.array(values), Integer.valueOf(row.get("count")), cost, minSize);
        checkSame(row, ofCount, places(row.get("points")));
        int[] ofPenalty = (int[]) call(
                "change_points", strategy, Values.array(values), Double.valueOf(row.get("penalty")), cost, minSize);
        checkSame(row, ofPenalty, places(row.get("change_points")));
        OptimalBins.Bins bins = new OptimalBins(values.clone())
                .into("optimal_bins", Integer.parseInt(row.get("k")), OptimalBins.Strategy.valueOf(strategy.name()));
        assertThat(bins.cost()).isCloseTo(Double.parseDouble(row.get("bins_cost")), withinPercentage(1e-10));
        assertThat(bins.centers()).containsExactly(numbers(row.get("centers")), within(1e-9));
        double[] fitted = Isotonic.fit(values, numbers(row.get("weights")));
        assertThat(fitted).containsExactly(numbers(row.get("isotonic")), within(1e-9));
    }

    /**
     * Checks that the change points are the same or, for the cost {@code l1}, which often has ties, that their costs
     * are the same.
     */
    private static void checkSame(Map<String, String> row, int[] found, int... expected) {
        if (row.get("cost").equals("l1")) {
            assertThat(cost(row, found)).as(row.get("id")).isCloseTo(cost(row, expected), within(1e-9));
        } else {
            assertThat(found).as(row.get("id")).isEqualTo(expected);
        }
    }

    private static double cost(Map<String, String> row, int... points) {
        double[] values = numbers(row.get("values"));
        SegmentCost cost = SegmentCost.of("change_points", row.get("cost"), values);
        return points.length * Double.parseDouble(row.get("penalty")) + cost(cost, values.length, points);
    }

    private static double cost(SegmentCost cost, int count, int... points) {
        double sum = 0;
        for (int i = 0; i <= points.length; i++) {
            Candidates start = cost.candidates();
            start.add(i == 0 ? 0 : points[i - 1], 0);
            double[] costs = new double[1];
            cost.add(start, i == points.length ? count : points[i], costs);
            sum += costs[0];
        }
        return sum;
    }
}
