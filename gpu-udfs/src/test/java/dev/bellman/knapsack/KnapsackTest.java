package dev.bellman.knapsack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.CellCounter;
import dev.bellman.FunctionOptions;
import dev.bellman.Golden;
import dev.bellman.TextbookAnswers;
import dev.bellman.columns.Arguments;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.knapsack.Knapsack.Strategy;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class KnapsackTest {
    private static final int INSTANCES = 600;

    static List<BellmanFunction<?>> functions() {
        return KnapsackFunctions.list();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void equalsTheTextbook(BellmanFunction<?> function) {
        TextbookAnswers.compare(function, 1957, INSTANCES, 40);
    }

    /**
     * Compares the textbook itself with an enumeration of all subsets: the maximum value, and the documented tie rules.
     */
    @Test
    void textbookEqualsAllSubsets() {
        SplittableRandom random = new SplittableRandom(1974);
        for (int round = 0; round < 300; round++) {
            int n = random.nextInt(9);
            long[] weights = Values.longs(random, n, 0, 4);
            long[] values = Values.longs(random, n, 0, 3);
            long capacity = random.nextInt(12);
            long best = -1;
            int first = 0;
            // as numbers, subsets are in the order in which ties are broken
            for (int subset = 0; subset < 1 << n; subset++) {
                if (sum(weights, subset) <= capacity && sum(values, subset) > best) {
                    best = sum(values, subset);
                    first = subset;
                }
            }
            int chosen = first;
            Object expected = Values.row(
                    best,
                    Values.array(IntStream.range(0, n)
                            .filter(i -> (chosen >> i & 1) == 1)
                            .toArray()));
            assertThat(KnapsackTextbook.knapsack(Values.row(Values.array(weights), Values.array(values), capacity)))
                    .isEqualTo(expected);
        }
    }

    private static long sum(long[] numbers, int subset) {
        return IntStream.range(0, numbers.length)
                .filter(i -> (subset >> i & 1) == 1)
                .mapToLong(i -> numbers[i])
                .sum();
    }

    /** Compares values with ortools; solutions may differ, because its ties are broken differently. */
    @ParameterizedTest
    @EnumSource
    void golden(Strategy strategy) {
        Map<String, Map<String, String>> rows = Golden.rows("knapsack.gold");
        assertThat(rows.size()).isGreaterThanOrEqualTo(150);
        rows.values().forEach(row -> compare(row, strategy));
    }

    private static void compare(Map<String, String> row, Strategy strategy) {
        ArrayData weights = Values.array(numbers(row.get("weights")));
        ArrayData values = Values.array(numbers(row.get("values")));
        ArrayData counts = Values.array(numbers(row.get("counts")));
        long capacity = Long.parseLong(row.get("capacity"));
        assertValue(row, "knapsack", "knapsack", strategy, weights, values, capacity);
        assertValue(row, "bounded", "bounded_knapsack", strategy, weights, values, counts, capacity);
        assertValue(row, "subset_sum", "subset_sum", strategy, weights, capacity);
        String choice = "multiple_choice_knapsack";
        ArrayData weightsOfClasses = classes(row, "weights");
        ArrayData valuesOfClasses = classes(row, "values");
        if (row.get("multiple_choice").equals("-1")) {
            assertThatThrownBy(() -> call(choice, strategy, weightsOfClasses, valuesOfClasses, capacity))
                    .hasMessageContaining("one option from each class must fit");
        } else {
            assertValue(row, "multiple_choice", choice, strategy, weightsOfClasses, valuesOfClasses, capacity);
        }
    }

    private static void assertValue(
            Map<String, String> row, String column, String function, Strategy strategy, Object... arguments) {
        assertThat(call(function, strategy, arguments).getLong(0))
                .as("%s of row %s", column, row.get("id"))
                .isEqualTo(Long.parseLong(row.get(column)));
    }

    private static Row call(String name, Strategy strategy, Object... arguments) {
        return (Row) TextbookAnswers.call(name, strategy, arguments);
    }

    private static long[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    /** Returns the numbers in a column as one array per class; the column contains the classes one after another. */
    private static ArrayData classes(Map<String, String> row, String column) {
        long[] numbers = numbers(row.get(column));
        int[] begin = {0};
        return Values.arrayOf(Arrays.stream(numbers(row.get("classes")))
                .mapToObj(length -> Values.array(Arrays.copyOfRange(numbers, begin[0], begin[0] += (int) length)))
                .toArray());
    }

    /** Compares halving, stored rows and lists, in 32 and 64 bits. */
    @Test
    void largeTables() {
        SplittableRandom random = new SplittableRandom(1975);
        for (long most : new long[] {3, 1_000, 1L << 45}) {
            int n = 120;
            int capacity = 20_000 + random.nextInt(64);
            Options items = Options.ofItems(Values.longs(random, n, 1, 600), Values.longs(random, n, 0, most), false);
            int[] halved = new int[n];
            new CapacityTable("knapsack", items, capacity, 1 << 17).choose(0, n, capacity, halved);
            int[] kept = new int[n];
            new CapacityTable("knapsack", items, capacity, 1 << 26).choose(0, n, capacity, kept);
            int[] listed = Knapsack.choose("knapsack", items, capacity, Strategy.SERIAL, CellCounter.NONE);
            assertThat(halved).isEqualTo(kept).isEqualTo(listed);
        }
    }

    /** Compares sums as bits with sums as lists, for sums around word sizes. */
    @Test
    void largeSums() {
        SplittableRandom random = new SplittableRandom(1960);
        for (int round = 0; round < 60; round++) {
            long[] weights = Values.longs(random, 1 + random.nextInt(60), 0, 1L << random.nextInt(1, 12));
            long capacity = (long) (Arrays.stream(weights).sum() * random.nextDouble());
            int[] byBits = SubsetSum.choose("subset_sum", weights, capacity, Strategy.AUTO, CellCounter.NONE);
            int[] byLists = SubsetSum.choose("subset_sum", weights, capacity, Strategy.SERIAL, CellCounter.NONE);
            assertThat(byBits).isEqualTo(byLists);
        }
    }

    @Test
    void hugeCapacities() {
        long unit = 1L << 58;
        Row found = call(
                "knapsack",
                Strategy.AUTO,
                Values.array(3 * unit, 4 * unit, 5 * unit + 1, 2 * unit),
                Values.array(4L, 5L, 7L, 3L),
                9 * unit + 1);
        assertThat(found.getLong(0)).isEqualTo(12);
        assertThat((int[]) found.get(1)).containsExactly(1, 2);
    }

    @Test
    void messages() {
        assertThatThrownBy(() -> call("knapsack", Strategy.AUTO, Values.array(1L, -2L), Values.array(1L, 2L), 3L))
                .hasMessage("[BELLMAN_INPUT_VALUE] knapsack: entry 2 of weights (counted from 1) is -2; it must be at "
                        + "least 0. Correct the row, or use try_knapsack, which returns NULL");
        assertThatThrownBy(() -> call("knapsack", Strategy.AUTO, Values.array(1L), Values.array(1L, 2L), 3L))
                .hasMessageContaining("knapsack: values has 2 entries, but weights has 1; the sizes must match");
        assertThatThrownBy(() ->
                        call("knapsack", Strategy.AUTO, Values.array(1L, 1L), Values.array(Long.MAX_VALUE, 1L), 3L))
                .hasMessageContaining("[BELLMAN_OVERFLOW] knapsack: the value exceeds 9223372036854775807");
        assertThatThrownBy(() -> call(
                        "multiple_choice_knapsack",
                        Strategy.AUTO,
                        Values.arrayOf(Values.array(4L, 5L)),
                        Values.arrayOf(Values.array(1L, 2L)),
                        3L))
                .hasMessageContaining("the lightest options of the first 1 classes weigh more than the capacity of 3");
        for (Strategy strategy : Strategy.values()) {
            assertThatThrownBy(() -> call(
                            "bounded_knapsack",
                            strategy,
                            Values.array(3L, 5L),
                            Values.array(4L, 7L),
                            Values.array(1_000_000_000_000L, 1L),
                            Long.MAX_VALUE))
                    .hasMessageContaining("[BELLMAN_LIMIT] bounded_knapsack: 41 items or classes have more than ")
                    .hasMessageContaining("and a table of 3,000,000,000,005 capacities does not fit either");
        }
    }

    /** Compares DOUBLE values with HiGHS in scipy, which rounds differently. */
    @ParameterizedTest
    @EnumSource
    void goldenReals(Strategy strategy) {
        List<Map<String, String>> rows = Golden.allRows("knapsack_real.gold");
        assertThat(rows).hasSizeGreaterThanOrEqualTo(60);
        for (Map<String, String> row : rows) {
            Object[] items = {
                Values.array(numbers(row.get("weights"))), reals(row.get("values")), Long.parseLong(row.get("capacity"))
            };
            Row best = (Row)
                    KnapsackSolvers.realKnapsack(strategy, FunctionOptions.DEFAULT, new Arguments("knapsack", items));
            assertThat(best.getDouble(0)).isCloseTo(Double.parseDouble(row.get("knapsack")), Offset.offset(1e-9));
            double[] values = ((ArrayData) items[1]).toDoubleArray();
            assertThat(Arrays.stream((int[]) best.get(1))
                            .mapToDouble(item -> values[item])
                            .sum())
                    .isCloseTo(best.getDouble(0), Offset.offset(1e-12));
            Row bounded = (Row) KnapsackSolvers.realBounded(
                    strategy,
                    FunctionOptions.DEFAULT,
                    new Arguments(
                            "bounded_knapsack",
                            items[0],
                            items[1],
                            Values.array(numbers(row.get("counts"))),
                            items[2]));
            assertThat(bounded.getDouble(0)).isCloseTo(Double.parseDouble(row.get("bounded")), Offset.offset(1e-9));
            Row choice = (Row) KnapsackSolvers.realMultipleChoice(
                    strategy,
                    FunctionOptions.DEFAULT,
                    new Arguments(
                            "multiple_choice_knapsack",
                            Values.arrayOf(Stream.of(row.get("class_weights").split(";"))
                                    .map(each -> Values.array(numbers(each)))
                                    .toArray()),
                            Values.arrayOf(Stream.of(row.get("class_values").split(";"))
                                    .map(KnapsackTest::reals)
                                    .toArray()),
                            Long.parseLong(row.get("class_capacity"))));
            assertThat(choice.getDouble(0))
                    .isCloseTo(Double.parseDouble(row.get("multiple_choice")), Offset.offset(1e-9));
        }
    }

    private static ArrayData reals(String text) {
        return Values.array(
                Stream.of(text.split(" ")).mapToDouble(Double::parseDouble).toArray());
    }
}
