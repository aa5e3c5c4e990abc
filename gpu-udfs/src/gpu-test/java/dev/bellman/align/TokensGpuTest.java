package dev.bellman.align;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the functions of two token arrays with the CPU. */
class TokensGpuTest extends GpuTest {
    private static final List<String> CALLS = List.of(
            "edit_distance(a, b)",
            "edit_distance(a, b, max)",
            "osa_distance(a, b)",
            "osa_distance(a, b, max)",
            "edit_cigar(a, b)",
            "lcs_length(a, b)",
            "word_errors(a, b)");

    /** A kind of tokens: their type, and the token for each number. */
    private record Kind(String name, DataType type, IntFunction<Object> token) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("ints", DataTypes.IntegerType, i -> i * 0x9E3779B1),
            new Kind("aligned ints", DataTypes.IntegerType, i -> i << 16),
            new Kind("longs", DataTypes.LongType, i -> (long) i << 32),
            new Kind("words", DataTypes.StringType, i -> Integer.toString(i, Character.MAX_RADIX)),
            new Kind("long words", DataTypes.StringType, i -> "a common beginning, " + i),
            new Kind("runs", DataTypes.StringType, i -> "x".repeat(i % 50)));

    static Stream<Kind> kinds() {
        return KINDS.stream();
    }

    /** Returns a pair whose second array is unrelated, or a mutated copy of the first. */
    private static Row pair(Kind kind, Random random, int n, int m, int distinct, boolean related) {
        boolean nulls = random.nextInt(4) == 0;
        IntFunction<Object> token =
                i -> nulls && i % 8 == 0 ? null : kind.token().apply(i);
        int[] a = random.ints(n, 0, distinct).toArray();
        int[] b = related ? a.clone() : random.ints(m, 0, distinct).toArray();
        List<Integer> second = new ArrayList<>(IntStream.of(b).boxed().toList());
        for (int i = related ? n / 8 : 0; i > 0 && !second.isEmpty(); i--) {
            int at = random.nextInt(second.size());
            switch (random.nextInt(3)) {
                case 0 -> second.remove(at);
                case 1 -> second.add(at, random.nextInt(distinct));
                default -> second.set(at, random.nextInt(distinct));
            }
        }
        return RowFactory.create(
                random.nextInt(30) == 0 ? null : IntStream.of(a).mapToObj(token).toArray(),
                random.nextInt(30) == 0
                        ? null
                        : second.stream().map(token::apply).toArray(),
                random.nextInt(30) == 0 ? null : random.nextInt(40) - 1);
    }

    private static Dataset<Row> dataset(Kind kind, List<Row> rows) {
        return rows(
                new StructType()
                        .add("a", DataTypes.createArrayType(kind.type()))
                        .add("b", DataTypes.createArrayType(kind.type()))
                        .add("max", DataTypes.IntegerType),
                2,
                rows);
    }

    private static void assertSameAsOnCpu(Dataset<Row> input, List<String> calls) {
        calls.forEach(call -> assertSameAsOnCpu(input, call));
    }

    /** Tests short arrays, and lengths around the limits of words, warps and hash tables. */
    @ParameterizedTest
    @MethodSource("kinds")
    void sameAsOnCpu(Kind kind) {
        Random random = new Random(1965);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int n = random.nextInt(i % 4 == 0 ? 150 : 40);
            rows.add(pair(kind, random, n, random.nextInt(n + 10), 1 << random.nextInt(9), i % 2 == 0));
        }
        int[] lengths = {0, 1, 2, 31, 32, 33, 64, 127, 128, 129, 256, 257, 512, 513, 1_023, 1_024, 1_025};
        for (int n : lengths) {
            for (int m : lengths) {
                rows.add(pair(kind, random, n, m, 100, n == m));
                rows.add(pair(kind, random, n, m, 5_000, n == m));
            }
        }
        assertSameAsOnCpu(dataset(kind, rows), CALLS);
    }

    /**
     * Tests pairs whose distinct tokens need codes of one, two or three bytes, and pairs that are so large that the CPU
     * solves them.
     */
    @ParameterizedTest
    @MethodSource("kinds")
    void longArrays(Kind kind) {
        Random random = new Random(1966);
        List<Row> rows = new ArrayList<>();
        for (int n : new int[] {125, 126, 127, 1_918, 1_919, 4_095, 4_096, 4_097}) {
            int[] all = IntStream.range(0, n).toArray();
            Object[] a = IntStream.of(all).mapToObj(kind.token()).toArray();
            Object[] b = IntStream.of(all)
                    .mapToObj(i -> kind.token().apply(n - 1 - i))
                    .toArray();
            rows.add(RowFactory.create(a, b, n));
            rows.add(RowFactory.create(a, a, 0));
            rows.add(pair(kind, random, n, 6_000, 3_000, false));
            rows.add(pair(kind, random, n, n, 3_000, true));
        }
        assertSameAsOnCpu(dataset(kind, rows), CALLS);
    }

    /** The CPU solves pairs in which an array's strings have more than 1,048,576 bytes in total. */
    @Test
    void longStrings() {
        List<Row> rows = new ArrayList<>();
        for (int n : new int[] {1 << 19, 1 << 20, (1 << 20) + 1}) {
            String large = "y".repeat(n);
            rows.add(RowFactory.create(new Object[] {large, "b"}, new Object[] {"b", large}, 3));
            rows.add(RowFactory.create(new Object[] {large}, new Object[] {large, "y".repeat(n - 1)}, 3));
            rows.add(RowFactory.create(new Object[] {"a"}, new Object[] {"a", "b"}, 3));
        }
        assertSameAsOnCpu(dataset(KINDS.get(3), rows), CALLS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"r-way", "bit-parallel"})
    void strategies(String strategy) {
        Random random = new Random(1967);
        Kind kind = KINDS.get(3);
        List<Row> rows = IntStream.range(0, 2_000)
                .mapToObj(i -> pair(kind, random, random.nextInt(200), random.nextInt(200), 300, i % 2 == 0))
                .toList();
        for (String problem : List.of("edit_distance", "lcs")) {
            withConf("spark.bellman." + problem + ".strategy", strategy, () -> {
                assertSameAsOnCpu(
                        dataset(kind, rows),
                        CALLS.stream()
                                .filter(call -> problem.equals("lcs") == call.startsWith("lcs"))
                                .filter(call -> call.startsWith("edit") || call.startsWith("lcs"))
                                .toList());
            });
        }
    }

    /** RAPIDS tries again if GPU memory is exhausted. */
    @Test
    void outOfMemory() {
        Random random = new Random(1968);
        Kind kind = KINDS.get(3);
        List<Row> rows = IntStream.range(0, 1_000)
                .mapToObj(i -> pair(kind, random, random.nextInt(60), random.nextInt(60), 50, i % 2 == 0))
                .toList();
        for (String injection : List.of("num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=2,type=GPU")) {
            withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
                assertSameAsOnCpu(dataset(kind, rows), CALLS);
            });
        }
    }
}
