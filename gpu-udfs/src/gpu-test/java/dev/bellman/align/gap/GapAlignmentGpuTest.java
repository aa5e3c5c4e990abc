package dev.bellman.align.gap;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GapAlignmentGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("match", DataTypes.LongType)
            .add("mismatch", DataTypes.LongType)
            .add("ofa", DataTypes.createArrayType(DataTypes.LongType))
            .add("ofb", DataTypes.createArrayType(DataTypes.LongType));
    private static final String EXPRESSION = "try_gap_alignment(a, b, match, mismatch, ofa, ofb)";

    private static Dataset<Row> generated(int count, int size) {
        SplittableRandom random = new SplittableRandom(size);
        return instances(
                SCHEMA,
                3,
                IntStream.range(0, count).mapToObj(i -> GapInstances.separate(random, i % 40 == 0 ? size : size / 4)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "blocked", "r-way"})
    void random(String strategy) {
        withConf("spark.bellman.gap_alignment.strategy", strategy, () -> {
            assertSameAsOnCpu(generated(4_000, 60), EXPRESSION);
            assertSameAsOnCpu(generated(400, 700), EXPRESSION);
        });
    }

    /** Rows whose costs the strategy does not support are rejected both on the CPU and on the GPU. */
    @ParameterizedTest
    @ValueSource(strings = {"affine", "concave"})
    void ownAlgorithms(String strategy) {
        withConf("spark.bellman.gap_alignment.strategy", strategy, () -> {
            assertSameAsOnCpu(generated(1_000, 200), EXPRESSION);
        });
    }

    /** Rows around the limit of 64 bits, and around the limit of 32-bit tables, have the same results as on the CPU. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "blocked", "r-way", "affine", "concave"})
    void limits(String strategy) {
        Dataset<Row> rows = instances(SCHEMA, 3, GapLimits.all().stream().map(GapLimits::row));
        withConf("spark.bellman.gap_alignment.strategy", strategy, () -> {
            assertSameAsOnCpu(rows, EXPRESSION);
        });
    }

    @Test
    void oneListForBoth() {
        assertSameAsOnCpu(
                generated(500, 100), "try_gap_alignment(a, b, match, mismatch, IF(size(ofa) > size(ofb), ofa, ofb))");
    }

    /**
     * Tests tables that several warps fill, tables that all blocks fill and, with the recursion, tables that are larger
     * than a square of 8 by 8 tiles.
     */
    @ParameterizedTest
    @CsvSource({"1, auto", "1099511627776, auto", "1, r-way", "1099511627776, r-way"})
    void large(long factor, String strategy) {
        SplittableRandom random = new SplittableRandom(factor);
        List<Row> rows = new ArrayList<>();
        for (int length : new int[] {400, 900, 1_300, 1_800}) {
            StringBuilder a = new StringBuilder();
            StringBuilder b = new StringBuilder();
            for (int i = 0; i < length; i++) {
                a.append("ACGT".charAt(random.nextInt(4)));
                b.append(random.nextInt(8) == 0 ? "" : random.nextInt(8) == 0 ? "TT" : a.substring(i));
                b.setLength(Math.min(b.length(), i + 1));
            }
            long[] costs = LongStream.range(0, length)
                    .map(k -> factor * (6 + k - k % 3 * 2))
                    .toArray();
            Long[] boxed = LongStream.of(costs).boxed().toArray(Long[]::new);
            rows.add(RowFactory.create(a.toString(), b.toString(), 2 * factor, -3 * factor, boxed, boxed));
        }
        withConf("spark.bellman.gap_alignment.strategy", strategy, () -> {
            assertSameAsOnCpu(rows(SCHEMA, 1, rows), EXPRESSION);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gap_alignment(concat('abc', a), 'b', 1L, -1L, array(1L))",
                "gap_alignment('abc', concat('b', a), match + 9223372036854775807, -1L, array(1L, 1L, 1L, 1L))"
            })
    void failsAsOnCpu(String expression) {
        Dataset<Row> rows = rows(SCHEMA, 1, List.of(RowFactory.create("", "", 0L, 0L, new Long[0], new Long[0])));
        assertSameFailure(rows, expression).contains("[BELLMAN_");
    }
}
