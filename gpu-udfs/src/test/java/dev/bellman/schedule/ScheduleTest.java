package dev.bellman.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.function.Catalogue;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the functions for increasing subsequences, subarrays, schedules, lots and tours. */
class ScheduleTest {
    private static final int INSTANCES = 300;

    static List<BellmanFunction<?>> functions() {
        return ScheduleFunctions.list();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void equalsTheTextbook(BellmanFunction<?> function) {
        TextbookAnswers.compare(function, 1958, INSTANCES, function.name().equals("shortest_tour") ? 9 : 40);
    }

    /** Compares the strategies with each other at sizes that are too large for the textbook. */
    @Test
    void largeInstances() {
        SplittableRandom random = new SplittableRandom(1962);
        for (int round = 0; round < 20; round++) {
            int count = 1 + random.nextInt(2_000);
            long[] values = Values.longs(random, count, 0, 1 + random.nextInt(1_000));
            assertThat(LongestIncreasing.of(count, (a, b) -> values[a] < values[b], LongestIncreasing.Strategy.AUTO))
                    .isEqualTo(LongestIncreasing.of(
                            count, (a, b) -> values[a] < values[b], LongestIncreasing.Strategy.SERIAL));
            long setup = random.nextInt(10_000);
            long holding = random.nextInt(5);
            LotSizes.Plan plan = LotSizes.of(values, setup, holding, LotSizes.Strategy.AUTO);
            LotSizes.Plan serial = LotSizes.of(values, setup, holding, LotSizes.Strategy.SERIAL);
            assertThat(plan.cost()).isEqualTo(serial.cost());
            assertThat(plan.lots()).isEqualTo(serial.lots());
            long[] ends = new long[count];
            Arrays.setAll(ends, i -> values[i] + 1 + random.nextInt(60));
            Intervals intervals = Intervals.of("f", values, ends, Values.longs(random, count, 0, 9));
            assertThat(IntervalSchedule.of(intervals, IntervalSchedule.Strategy.AUTO)
                            .items())
                    .isEqualTo(IntervalSchedule.of(intervals, IntervalSchedule.Strategy.SERIAL)
                            .items());
        }
    }

    /** Tests points on a circle, in random order. */
    @Test
    void tourOfACircle() {
        SplittableRandom random = new SplittableRandom(20);
        int count = 16;
        double[] angles = random.doubles(count, 0, 2 * Math.PI).toArray();
        double[][] distances = new double[count][count];
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                distances[i][j] = 2 * Math.abs(Math.sin((angles[i] - angles[j]) / 2));
            }
        }
        double[] sorted = Arrays.stream(angles).sorted().toArray();
        double around = 2 * Math.sin((2 * Math.PI - sorted[count - 1] + sorted[0]) / 2);
        for (int i = 1; i < count; i++) {
            around += 2 * Math.sin((sorted[i] - sorted[i - 1]) / 2);
        }
        for (ShortestTour.Strategy strategy : ShortestTour.Strategy.values()) {
            ShortestTour.Tour tour = ShortestTour.of("shortest_tour", strategy, distances);
            assertThat(tour.length()).isCloseTo(around, within(1e-12));
            assertThat(Arrays.stream(tour.places()).sorted().distinct().count()).isEqualTo(count);
        }
    }

    /** Compares the optimal values with those of ortools. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "serial"})
    void golden(String strategy) {
        List<Map<String, String>> rows = Golden.allRows("schedule.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(100);
        for (Map<String, String> row : rows) {
            assertValue(
                    row,
                    "schedule",
                    strategy,
                    "weighted_schedule",
                    longs(row, "starts"),
                    longs(row, "ends"),
                    longs(row, "weights"));
            assertValue(
                    row,
                    "lots",
                    strategy,
                    "lot_sizes",
                    longs(row, "demand"),
                    Long.valueOf(row.get("setup")),
                    Long.valueOf(row.get("holding")));
            double[] distances = Golden.numbers(row.get("distances"));
            int count = (int) Math.sqrt(distances.length);
            Object[] places = new Object[count];
            Arrays.setAll(places, i -> Values.array(Arrays.copyOfRange(distances, i * count, (i + 1) * count)));
            assertValue(row, "tour", strategy, "shortest_tour", Values.arrayOf(places));
        }
    }

    private static ArrayData longs(Map<String, String> row, String column) {
        return Values.array(Arrays.stream(Golden.numbers(row.get(column)))
                .mapToLong(each -> (long) each)
                .toArray());
    }

    private static void assertValue(
            Map<String, String> row, String column, String strategy, String function, Object... arguments) {
        Row result = (Row) TextbookAnswers.call(
                Catalogue.named(function).orElseThrow(), strategy, FunctionOptions.DEFAULT, arguments);
        assertThat(((Number) result.get(0)).longValue())
                .as("%s of row %s", column, row.get("id"))
                .isEqualTo(Long.parseLong(row.get(column)));
    }

    private static Object call(String name, Object... arguments) {
        return TextbookAnswers.call(Catalogue.named(name).orElseThrow(), "auto", FunctionOptions.DEFAULT, arguments);
    }

    @Test
    void messages() {
        ArrayData two = Values.array(1L, 2L);
        assertThatThrownBy(() -> call("maximum_subarray", Values.array(new long[0])))
                .hasMessage("[BELLMAN_INPUT_VALUE] maximum_subarray: values is empty; it needs at least one number."
                        + " Correct the row, or use try_maximum_subarray, which returns NULL");
        assertThatThrownBy(() -> call("maximum_subarray", Values.array(Long.MAX_VALUE, 1L)))
                .hasMessage("[BELLMAN_OVERFLOW] maximum_subarray: the sum of values exceeds 9223372036854775807, the "
                        + "maximum BIGINT value; use smaller values");
        assertThatThrownBy(() -> call("weighted_schedule", two, Values.array(2L, 2L), two))
                .hasMessageContaining("entry 2 of ends (counted from 1) is 2; it must be after its start, 2");
        assertThatThrownBy(() -> call("weighted_schedule", two, Values.array(2L), two))
                .hasMessageContaining("starts has 2 entries, ends has 1, and weights has 2; the sizes must match");
        assertThatThrownBy(() -> call("lot_sizes", two, 5L, -1L)).hasMessageContaining("holding is -1");
        assertThatThrownBy(() -> call("lot_sizes", two, Long.MAX_VALUE, 1L))
                .hasMessageContaining(
                        "[BELLMAN_OVERFLOW] lot_sizes: the total demand exceeds 2^63 - 1, or a single lot");
        Object[] rows = new Object[21];
        Arrays.fill(rows, Values.array(new double[21]));
        assertThatThrownBy(() -> call("shortest_tour", Values.arrayOf(rows)))
                .hasMessageContaining("[BELLMAN_LIMIT] shortest_tour: distances has 21 places; the maximum is 20");
        assertThatThrownBy(() -> call("shortest_tour", Values.arrayOf(Values.array(0.0), Values.array(1.0))))
                .hasMessageContaining("entry 1 of distances (counted from 1) is of length 1; it must be of length 2");
    }
}
