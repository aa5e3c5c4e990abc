package dev.bellman.align.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares {@code weighted_edit_distance} with the CPU. */
class WeightedGpuTest extends GpuTest {
    private static final StructType PAIRS = new StructType()
            .add("a", DataTypes.BinaryType)
            .add("b", DataTypes.BinaryType)
            .add("i", DataTypes.DoubleType)
            .add("d", DataTypes.DoubleType)
            .add("s", DataTypes.DoubleType);

    private static Double cost(Random random) {
        return switch (random.nextInt(40)) {
            case 0 -> null;
            case 1 -> -1.0;
            case 2 -> Double.NaN;
            case 3 -> Double.MAX_VALUE;
            default -> random.nextBoolean() ? random.nextInt(20) / 10.0 : random.nextInt(8) / 4.0;
        };
    }

    /**
     * Returns pairs with lengths up to the limits of the size classes and beyond; every argument is sometimes NULL, and
     * costs are sometimes invalid.
     */
    private static Dataset<Row> pairs() {
        Random random = new Random(1974);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            String alphabet = List.of("ab", TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED)
                    .get(i % 4);
            int length = i % 50 == 0 ? 300 : i % 10 == 0 ? 66 : 40;
            String a = TestPairs.random(random, alphabet, random.nextInt(length));
            String b = i % 3 == 0
                    ? TestPairs.random(random, alphabet, random.nextInt(length))
                    : TestPairs.mutate(random, alphabet, a, 0.1);
            rows.add(RowFactory.create(
                    i % 31 == 0 ? null : i % 17 == 0 ? TestPairs.malformed(random, 30) : a.getBytes(UTF_8),
                    i % 37 == 0 ? null : i % 19 == 0 ? TestPairs.malformed(random, 30) : b.getBytes(UTF_8),
                    cost(random),
                    cost(random),
                    cost(random)));
        }
        for (int length : new int[] {63, 64, 65, 255, 256, 257, 5_000}) {
            byte[] text = TestPairs.random(random, TestPairs.LETTERS, length).getBytes(UTF_8);
            rows.add(RowFactory.create(text, "abc".getBytes(UTF_8), 1.0, 0.3, 0.7));
            rows.add(RowFactory.create("abc".getBytes(UTF_8), text, 1.0, 0.3, 0.7));
            rows.add(RowFactory.create(text, text, 1.0, 1.0, 3.0));
        }
        return texts(PAIRS, rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "try_weighted_edit_distance(a, b, i, d, s)",
                "try_weighted_edit_distance(a, b, 1, 1, 2)",
                "try_weighted_edit_distance(a, b, 0.1, 0.2, 0.3)"
            })
    void sameAsOnCpu(String call) {
        assertSameAsOnCpu(pairs(), call);
    }

    /** The error message is the same as on the CPU. */
    @Test
    void wrongCost() {
        Dataset<Row> pair =
                texts(PAIRS, List.of(RowFactory.create("ab".getBytes(UTF_8), "ab".getBytes(UTF_8), 1.0, -1.0, 1.0)));
        String call = "weighted_edit_distance(a, b, i, d, s)";
        assertSameFailure(pair, call).contains("delete is -1.0");
    }

    @Test
    void nothingButNullsAndEmptyStrings() {
        Row nulls = RowFactory.create(null, null, 1.0, 1.0, 1.0);
        byte[] empty = {};
        for (List<Row> rows : List.of(
                List.<Row>of(),
                Arrays.asList(nulls, nulls),
                List.of(RowFactory.create(empty, empty, 1.0, 1.0, 1.0), nulls),
                List.of(RowFactory.create(empty, new byte[] {'a'}, 0.5, 1.0, 1.0)))) {
            assertSameAsOnCpu(texts(PAIRS, rows), "weighted_edit_distance(a, b, i, d, s)");
        }
    }
}
