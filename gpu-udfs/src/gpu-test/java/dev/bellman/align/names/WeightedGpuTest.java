package dev.bellman.align.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
            .add("s", DataTypes.DoubleType)
            .add("costs", DataTypes.StringType);

    private static final String COSTS = "a b 0.3 A C 0 C G 2.5 e é 0.1 é 中 0.7 😀 e 1.25 b a 0.4";

    private static Double cost(Random random) {
        return switch (random.nextInt(40)) {
            case 0 -> null;
            case 1 -> -1.0;
            case 2 -> Double.NaN;
            case 3 -> Double.MAX_VALUE;
            default -> random.nextBoolean() ? random.nextInt(20) / 10.0 : random.nextInt(8) / 4.0;
        };
    }

    private static String costs(Random random) {
        return switch (random.nextInt(30)) {
            case 0 -> null;
            case 1 -> "a b";
            case 2 -> "a b -1";
            case 3 -> "";
            default -> "a b 0.%d T é 1 ".formatted(random.nextInt(8)) + (random.nextBoolean() ? COSTS : "");
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
                    cost(random),
                    costs(random)));
        }
        for (int length : new int[] {63, 64, 65, 255, 256, 257, 5_000}) {
            byte[] text = TestPairs.random(random, TestPairs.LETTERS, length).getBytes(UTF_8);
            rows.add(RowFactory.create(text, "abc".getBytes(UTF_8), 1.0, 0.3, 0.7, COSTS));
            rows.add(RowFactory.create("abc".getBytes(UTF_8), text, 1.0, 0.3, 0.7, COSTS));
            rows.add(RowFactory.create(text, text, 1.0, 1.0, 3.0, COSTS));
        }
        return texts(PAIRS, rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "try_weighted_edit_distance(a, b, i, d, s)",
                "try_weighted_edit_distance(a, b, 1, 1, 2)",
                "try_weighted_edit_distance(a, b, 0.1, 0.2, 0.3)",
                "try_weighted_edit_distance(a, b, i, d, s, costs)",
                "try_weighted_edit_distance(a, b, i, d, s, '" + COSTS + "')",
                "try_weighted_edit_distance(a, b, 1, 1, 2, '" + COSTS + "')"
            })
    void sameAsOnCpu(String call) {
        assertSameAsOnCpu(pairs(), call);
    }

    /** The error message is the same as on the CPU. */
    @Test
    void wrongCost() {
        Dataset<Row> pair = texts(
                PAIRS, List.of(RowFactory.create("ab".getBytes(UTF_8), "ab".getBytes(UTF_8), 1.0, -1.0, 1.0, "a b")));
        String call = "weighted_edit_distance(a, b, i, d, s)";
        assertSameFailure(pair, call).contains("delete is -1.0");
        assertSameFailure(pair, "weighted_edit_distance(a, b, i, s, s, costs)").contains("'a b' is not a substitution");
    }

    /** The CPU solves rows whose costs list more characters than the kernel supports. */
    @Test
    void manyCharacters() {
        List<Row> rows = new ArrayList<>();
        for (int count : new int[] {1_000, 1_001}) {
            String costs = IntStream.range(0, count)
                    .mapToObj(i -> "%c %c %s".formatted(0x4e00 + i, 0x4e00 + (i + 1) % count, i % 64 / 32.0))
                    .collect(Collectors.joining(" "));
            for (int i = 0; i < count; i += 9) {
                String a = "x%cé".formatted(0x4e00 + i);
                String b = "%cé%<c".formatted(0x4e00 + (i + 1) % count);
                rows.add(RowFactory.create(a.getBytes(UTF_8), b.getBytes(UTF_8), 1.0, 1.0, 3.0, costs));
            }
        }
        assertSameAsOnCpu(texts(PAIRS, rows), "weighted_edit_distance(a, b, i, d, s, costs)");
    }

    @Test
    void nothingButNullsAndEmptyStrings() {
        Row nulls = RowFactory.create(null, null, 1.0, 1.0, 1.0, COSTS);
        byte[] empty = {};
        for (List<Row> rows : List.of(
                List.<Row>of(),
                Arrays.asList(nulls, nulls),
                List.of(RowFactory.create(empty, empty, 1.0, 1.0, 1.0, ""), nulls),
                List.of(RowFactory.create(empty, new byte[] {'a'}, 0.5, 1.0, 1.0, COSTS)))) {
            assertSameAsOnCpu(texts(PAIRS, rows), "weighted_edit_distance(a, b, i, d, s)");
            assertSameAsOnCpu(texts(PAIRS, rows), "weighted_edit_distance(a, b, i, d, s, costs)");
        }
    }
}
