package dev.bellman.recurrence;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.GpuTest;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Instance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimplifiedDpGpuTest extends GpuTest {
    private static final String KEY = "spark.bellman.s_dp.strategy";

    private static StructType schema(DataType element) {
        return new StructType()
                .add("initial", DataTypes.createArrayType(element))
                .add("offsets", DataTypes.createArrayType(DataTypes.IntegerType))
                .add("weights", DataTypes.createArrayType(element))
                .add("n", DataTypes.IntegerType)
                .add("op", DataTypes.StringType);
    }

    /** Returns rows with every operator; some rows contain a NULL. */
    private static Dataset<Row> longs(int count, int largest, int partitions) {
        Random random = new Random(2018);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String operator = TestInstances.OPERATORS.get(random.nextInt(TestInstances.OPERATORS.size()));
            int farthest = 1 + random.nextInt(largest);
            int[] offsets = random.nextInt(4) == 0
                    ? TestInstances.consecutive(farthest, 1 + random.nextInt(farthest))
                    : TestInstances.offsets(random, 1 + random.nextInt(farthest), farthest);
            int initial = farthest + random.nextInt(3);
            Instance instance =
                    TestInstances.longs(random, operator, offsets, initial, random.nextInt(3 * initial + 200));
            rows.add(row(random, instance, random.longs(offsets.length, -9, 9).toArray(), operator, key -> key));
        }
        return rows(schema(DataTypes.LongType), partitions, rows);
    }

    private static Dataset<Row> doubles(int count, List<String> operators) {
        Random random = new Random(1954);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String operator = operators.get(random.nextInt(operators.size()));
            int[] offsets = TestInstances.offsets(random, 1 + random.nextInt(90), 90);
            Instance instance = TestInstances.doubles(random, operator, offsets, 90, random.nextInt(300) + 1);
            rows.add(row(random, instance, TestInstances.keys(random, offsets.length), operator, Element::value));
        }
        return rows(schema(DataTypes.DoubleType), 2, rows);
    }

    private static Row row(
            Random random, Instance instance, long[] weights, String operator, LongFunction<Object> element) {
        Object[] values = {
            Arrays.stream(instance.initial()).mapToObj(element).toArray(),
            Arrays.stream(instance.offsets()).boxed().toArray(),
            Arrays.stream(weights).mapToObj(element).toArray(),
            instance.length(),
            operator
        };
        if (random.nextInt(10) == 0) {
            values[random.nextInt(values.length)] = null;
        }
        return RowFactory.create(values);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"auto", "sequential", "tournament", "naive-parallel", "pipeline", "pipeline-2x2", "blocked"})
    void strategies(String strategy) {
        withConf(KEY, strategy, () -> {
            Dataset<Row> rows = longs(3_000, 200, 3);
            assertSameAsOnCpu(rows, "try_s_dp(initial, offsets, n, op)");
            assertSameAsOnCpu(rows, "try_s_dp_last(initial, offsets, n, op)");
            assertSameAsOnCpu(rows, "try_s_dp_weighted(initial, offsets, weights, n, IF(op = 'min', 'min', 'max'))");
        });
    }

    /** Compares single values, because an array with NaN does not equal itself. */
    @Test
    void doubles() {
        Dataset<Row> rows = doubles(3_000, TestInstances.DOUBLE_OPERATORS);
        assertSameAsOnCpu(rows, "s_dp_last(initial, offsets, n, op)");
        Dataset<Row> weighted = doubles(3_000, List.of("min", "max"));
        assertSameAsOnCpu("s_dp_weighted", weighted, "element_at(s_dp_weighted(initial, offsets, weights, n, op), -1)");
    }

    @Test
    void longTables() {
        assertSameAsOnCpu(longs(200, 3_000, 1), "try_s_dp(initial, offsets, n, op)");
    }

    /** Tests tables that the whole device solves, either by searching or in tiles. */
    @ParameterizedTest
    @ValueSource(strings = {"min", "max", "bit_and", "bool_or", "bit_xor", "sum mod 998244353"})
    void largeTables(String operator) {
        largeTable(operator, 4_000, 9_000, 30_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tournament", "naive-parallel", "pipeline", "pipeline-2x2"})
    void largeTablesByThePapersStrategies(String strategy) {
        withConf(KEY, strategy, () -> {
            largeTable("min", 3_000, 9_000, 15_000);
            largeTable("last", 17_000, 40_000, 41_000);
        });
    }

    /** With this many candidates, a sum modulo a number is computed as a quotient of power series. */
    @ParameterizedTest
    @ValueSource(strings = {"sum mod 998244353", "sum mod 4611686018427387904", "sum mod 1"})
    void series(String operator) {
        largeTable(operator, 20_000, 45_000, 160_000);
        largeTable(operator, 25_000, 25_000, 120_000);
    }

    private static void largeTable(String operator, int count, int farthest, int n) {
        Random random = new Random(3);
        int[] offsets = TestInstances.offsets(random, count, farthest);
        Instance instance = TestInstances.longs(random, operator, offsets, farthest, n);
        Row row = RowFactory.create(
                Arrays.stream(instance.initial()).boxed().toArray(),
                Arrays.stream(offsets).boxed().toArray(),
                null,
                n,
                operator);
        assertSameAsOnCpu(rows(schema(DataTypes.LongType), 1, List.of(row, row)), "s_dp(initial, offsets, n, op)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s_dp(initial, array(1, 2), 9000, 'min')",
                "s_dp(initial, offsets, n, IF(n > 1, 'mim', op))",
                "s_dp(array(1L, CAST(n AS BIGINT)), array(2, 1), n + 200, 'sum')"
            })
    void failsAsOnCpu(String expression) {
        Dataset<Row> rows = longs(100, 50, 1).where("initial IS NOT NULL AND offsets IS NOT NULL AND n > 1");
        assertSameFailure(rows, expression).contains("[BELLMAN_");
    }

    @Test
    void doublesAreAddedInOrder() {
        withConf(KEY, "tournament", () -> {
            Dataset<Row> rows = doubles(10, List.of("sum"));
            assertThatThrownBy(() -> rows.selectExpr("try_s_dp_last(initial, offsets, 200, op)")
                            .collectAsList())
                    .hasStackTraceContaining("adds doubles in a different order");
        });
    }

    /**
     * RAPIDS tries again if GPU memory is exhausted. The first allocations are for copies of the input, and later ones
     * for the kernel.
     */
    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=20,type=GPU", "num_ooms=2,skip=24,type=GPU"})
    void outOfMemory(String injection) {
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            assertSameAsOnCpu(longs(500, 100, 1), "try_s_dp(initial, offsets, n, op)");
        });
    }
}
