package dev.bellman.chain.tree;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the functions for polygons, search trees and given weights on the GPU. */
class ParenthesizationGpuTest extends GpuTest {
    private static StructType schema(DataType element) {
        return new StructType()
                .add("first", DataTypes.createArrayType(element))
                .add("second", DataTypes.createArrayType(element));
    }

    private static Object[] costs(Random random, int count, boolean doubles) {
        long bound = Math.max(2, Long.MAX_VALUE >> random.nextInt(63));
        double spread = 1 + random.nextInt(20);
        Object[] costs = new Object[count];
        for (int i = 0; i < count; i++) {
            costs[i] = doubles
                    ? (Object) (random.nextInt(1_000) * Math.pow(10, -random.nextInt((int) spread)))
                    : (Object) random.nextLong(bound);
        }
        return costs;
    }

    /**
     * @param first the number of entries in the first list, as a function of the row number
     * @param secondOf the number of entries in the second list, as a function of the number in the first list
     */
    private static Dataset<Row> pairs(
            boolean doubles, int count, int partitions, IntUnaryOperator first, IntUnaryOperator secondOf) {
        Random random = new Random(count);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int entries = first.applyAsInt(i);
            Object[] a = costs(random, entries, doubles);
            Object[] b = costs(random, secondOf.applyAsInt(entries), doubles);
            switch (random.nextInt(40)) {
                case 0 -> a = null;
                case 1 -> b = null;
                case 2 -> b = new Object[0];
                case 3 -> set(random, a, null);
                case 4 -> set(random, b, doubles ? (Object) (-1.0) : (Object) (-1L));
                case 5 -> set(random, b, doubles ? (Object) Double.NaN : (Object) Long.MAX_VALUE);
                case 6 -> set(random, a, doubles ? (Object) Double.POSITIVE_INFINITY : (Object) Long.MIN_VALUE);
                case 7 -> set(random, a, doubles ? (Object) (-0.0) : (Object) 0L);
                default -> {}
            }
            rows.add(RowFactory.create(a, b));
        }
        return rows(schema(doubles ? DataTypes.DoubleType : DataTypes.LongType), partitions, rows);
    }

    private static void set(Random random, Object[] values, Object value) {
        if (values.length > 0) {
            values[random.nextInt(values.length)] = value;
        }
    }

    private static Dataset<Row> trees(boolean doubles, int count, int partitions, IntUnaryOperator keys) {
        return pairs(doubles, count, partitions, keys, n -> n + 1);
    }

    private static Dataset<Row> weights(boolean doubles, int count, int partitions, IntUnaryOperator leaves) {
        return pairs(doubles, count, partitions, leaves, n -> n * (n - 1) / 2);
    }

    private static int mixed(int i, int most) {
        return i % 50 == 0 ? i * 7 % most : i * 31 % 70;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void searchTrees(boolean doubles) {
        Dataset<Row> rows = trees(doubles, 5_000, 3, i -> mixed(i, 400));
        assertSameAsOnCpu(rows, "try_optimal_bst_cost(first, second)");
        assertSameAsOnCpu(rows, "try_optimal_bst(first, second)");
    }

    /** Tests sizes from which tables no longer fit in shared memory, and sizes from which blocks are larger. */
    @Test
    void searchTreesOfEverySize() {
        assertSameAsOnCpu(trees(false, 400, 1, i -> i), "try_optimal_bst(first, second)");
        assertSameAsOnCpu(trees(true, 40, 1, i -> 1_000 + i), "try_optimal_bst(first, second)");
    }

    /** Tests trees that the whole device solves. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void largeSearchTrees(boolean doubles) {
        Dataset<Row> rows = trees(doubles, 6, 1, i -> i == 5 ? 3 : 2_046 + 300 * i);
        assertSameAsOnCpu(rows, "try_optimal_bst(first, second)");
        assertSameAsOnCpu(rows, "try_optimal_bst_cost(first, second)");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenWeights(boolean doubles) {
        assertSameAsOnCpu(weights(doubles, 3_000, 3, i -> mixed(i, 200)), "try_parenthesization(first, second)");
        assertSameAsOnCpu(weights(doubles, 140, 1, i -> i), "try_parenthesization(first, second)");
        assertSameAsOnCpu(weights(doubles, 3, 1, i -> 1_020 + 3 * i), "try_parenthesization(first, second)");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenWeightsByTiles(boolean doubles) {
        withConf("spark.bellman.parenthesization.strategy", "tiled", () -> {
            assertSameAsOnCpu(weights(doubles, 140, 1, i -> i), "try_parenthesization(first, second)");
        });
    }

    /** Tests tables of one tile, of several tiles, and of several large tiles. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenWeightsByRecursion(boolean doubles) {
        withConf("spark.bellman.parenthesization.strategy", "r-way", () -> {
            assertSameAsOnCpu(weights(doubles, 140, 1, i -> i), "try_parenthesization(first, second)");
            assertSameAsOnCpu(weights(doubles, 5, 1, i -> 250 + 197 * i), "try_parenthesization(first, second)");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void treesByRecursion(boolean doubles) {
        withConf("spark.bellman.optimal_bst.strategy", "r-way", () -> {
            for (Dataset<Row> rows :
                    List.of(trees(doubles, 140, 1, i -> i), trees(doubles, 5, 1, i -> 250 + 197 * i))) {
                assertSameAsOnCpu(rows, "try_optimal_bst(first, second)");
                assertSameAsOnCpu(rows, "try_optimal_bst_cost(first, second)");
            }
        });
    }

    private static Dataset<Row> polygons(int count, int partitions, int most) {
        Random random = new Random(1982);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long largest = 1L << random.nextInt(1, 34);
            Long[] weights = LongStream.generate(() -> 1 + random.nextLong(largest))
                    .limit(1L + random.nextInt(i % 20 == 0 ? most : 40))
                    .boxed()
                    .toArray(Long[]::new);
            if (i % 37 == 0) {
                weights[0] = i % 2 == 0 ? null : 0L;
            }
            rows.add(RowFactory.create((Object) (i % 41 == 0 ? null : weights)));
        }
        return rows(new StructType().add("weights", DataTypes.createArrayType(DataTypes.LongType)), partitions, rows);
    }

    @Test
    void triangulations() {
        Dataset<Row> polygons = polygons(4_000, 3, 500);
        assertSameAsOnCpu(polygons, "try_triangulation_cost(weights)");
        assertSameAsOnCpu(polygons, "try_triangulation(weights)");
        assertSameAsOnCpu(polygons(20, 1, 3_000), "try_triangulation(weights)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "optimal_bst(array(1L, -2L, IF(size(first) > 0, 3L, 4L)), array(1L, 2L, 3L, 4L))",
                "optimal_bst_cost(array(1L, CAST(size(first) AS BIGINT)), array(1L, 2L))",
                "optimal_bst(array(9223372036854775807, CAST(size(first) AS BIGINT)), array(1L, 2L, 3L))",
                "parenthesization(array(1D, CAST(size(first) AS DOUBLE)), array(double('NaN')))",
                "parenthesization(array(9223372036854775807, CAST(size(first) + 1 AS BIGINT)), array(0L))",
                "triangulation(array(3L, CAST(-size(first) AS BIGINT), 2L))",
                "triangulation(array(3000000L, 3000000L, 3000000L + size(first)))"
            })
    void failsAsOnCpu(String expression) {
        Dataset<Row> rows = trees(false, 60, 1, i -> i % 9).where("size(first) >= 0");
        assertSameFailure(rows, expression).contains("[BELLMAN_");
    }

    @ParameterizedTest
    @ValueSource(strings = {"optimal_bst_cost", "optimal_bst", "parenthesization"})
    void nothingButNulls(String function) {
        Dataset<Row> none = trees(false, 50, 2, i -> 3).selectExpr("IF(size(first) > 100, first, NULL) AS a", "second");
        assertSameAsOnCpu(none, function + "(a, second)");
        assertSameAsOnCpu(none, "try_" + function + "(second, second)");
        assertThatThrownBy(() -> none.selectExpr(function + "(second, second)").collectAsList())
                .hasStackTraceContaining("BELLMAN_INPUT_VALUE");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void searchTreesByTable(boolean doubles) {
        Dataset<Row> rows = trees(doubles, 600, 2, i -> i == 7 ? 2_100 : i % 130);
        withConf("spark.bellman.optimal_bst.strategy", "table", () -> {
            assertSameAsOnCpu(rows, "try_optimal_bst_cost(first, second)");
            assertSameAsOnCpu(rows, "try_optimal_bst(first, second)");
        });
    }

    /**
     * RAPIDS tries again if GPU memory is exhausted. The first allocations are for copies of the input, and later ones
     * for the kernel.
     */
    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=12,type=GPU", "num_ooms=2,skip=16,type=GPU"})
    void outOfMemory(String injection) {
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            assertSameAsOnCpu(trees(true, 500, 1, i -> i % 90), "try_optimal_bst(first, second)");
            assertSameAsOnCpu(weights(false, 500, 1, i -> i % 40), "try_parenthesization(first, second)");
            assertSameAsOnCpu(polygons(500, 1, 100), "try_triangulation(weights)");
        });
    }
}
