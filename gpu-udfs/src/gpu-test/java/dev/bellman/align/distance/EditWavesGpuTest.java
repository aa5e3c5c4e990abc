package dev.bellman.align.distance;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the distances between long strings that differ by few edits with the CPU. */
class EditWavesGpuTest extends GpuTest {
    private static final StructType PAIRS = new StructType()
            .add("a", DataTypes.BinaryType)
            .add("b", DataTypes.BinaryType)
            .add("max", DataTypes.IntegerType);

    /** Lengths around the limits at which kernels, blocks and bounds change. */
    private static final int[] LENGTHS = {
        1_500, 2_048, 2_049, 2_560, 4_095, 8_193, 12_288, 12_289, 16_383, 16_384, 16_511, 30_000
    };

    private static final double[] RATES = {0, 0.001, 0.003, 0.006, 0.0075, 0.009, 0.02};

    private final Random random = new Random(1985);
    private final List<Row> rows = new ArrayList<>();

    private void add(byte[] a, byte[] b) {
        int bound = Math.min(a.length, b.length) / 128;
        int max = random.nextInt(2 * bound + 10) - 1;
        rows.add(random.nextBoolean() ? RowFactory.create(a, b, max) : RowFactory.create(b, a, max));
        rows.add(RowFactory.create(
                random.nextInt(20) == 0 ? null : a, random.nextInt(20) == 0 ? null : b, random.nextInt(9)));
    }

    private void add(String a, String b) {
        add(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private Dataset<Row> pairs() {
        Collections.shuffle(rows, random);
        return texts(PAIRS, rows);
    }

    @ParameterizedTest
    @ValueSource(strings = {"edit_distance(a, b)", "edit_distance(a, b, max)", "edit_distance(a, b, 20)"})
    void similar(String call) {
        for (String alphabet : List.of("ab", TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED)) {
            for (int length : LENGTHS) {
                for (double rate : RATES) {
                    String a = TestPairs.random(random, alphabet, length);
                    add(a, TestPairs.mutate(random, alphabet, a, rate));
                }
            }
        }
        assertSameAsOnCpu(pairs(), call);
    }

    /** Tests periodic strings, strings that share only a part, and edits that are all at one place. */
    @ParameterizedTest
    @ValueSource(strings = {"edit_distance(a, b)", "edit_distance(a, b, max)"})
    void uneven(String call) {
        for (int length : LENGTHS) {
            String a = TestPairs.random(random, TestPairs.DNA, length);
            String other = TestPairs.random(random, TestPairs.DNA, length);
            int half = length / 2;
            add(a, other);
            add(a, a.substring(0, half) + other.substring(half));
            add(a, other.substring(0, half) + a.substring(half));
            for (int edits : new int[] {1, 7, length / 130, length / 128, length / 127, length / 100}) {
                String some = other.substring(0, edits);
                add(a, some + a);
                add(a, a + some);
                add(a, a.substring(0, half) + some + a.substring(half));
                add(a, a.substring(0, half) + some + a.substring(half + edits));
                add(a.substring(edits), a.substring(0, length - edits) + "A");
                add("a".repeat(length), "a".repeat(length + edits));
            }
            for (String period : List.of("a", "ab", "abc", "aab", a.substring(0, 31), a.substring(0, 200))) {
                String periodic = period.repeat(length / period.length());
                add(periodic, TestPairs.mutate(random, "abc", periodic, 0.002));
                add(periodic, periodic.substring(period.length() / 2));
                add(periodic, "a".repeat(length));
            }
        }
        assertSameAsOnCpu(pairs(), call);
    }

    /** Tests bytes that are not valid UTF-8. */
    @ParameterizedTest
    @ValueSource(strings = {"edit_distance(a, b)", "edit_distance(a, b, max)"})
    void malformed(String call) {
        for (int i = 0; i < 60; i++) {
            byte[] a = TestPairs.malformed(random, 20_000);
            byte[] b = a.clone();
            for (int edits = random.nextInt(a.length / 100 + 1); edits > 0; edits--) {
                b[random.nextInt(b.length)] = (byte) random.nextInt(256);
            }
            add(a, b);
        }
        assertSameAsOnCpu(pairs(), call);
    }

    /** Tests bounds that need most of a block's shared memory. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10, 1_000, 5_000, 8_000})
    void longStrings(int edits) {
        int length = 1_000_000;
        for (String alphabet : List.of(TestPairs.DNA, TestPairs.MIXED)) {
            String a = TestPairs.random(random, alphabet, length);
            add(a, TestPairs.mutate(random, alphabet, a, (double) edits / length));
        }
        assertSameAsOnCpu(pairs(), "edit_distance(a, b)");
    }
}
