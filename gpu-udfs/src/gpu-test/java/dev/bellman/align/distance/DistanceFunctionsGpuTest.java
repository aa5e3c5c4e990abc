package dev.bellman.align.distance;

import dev.bellman.GpuSide;
import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import java.util.ArrayList;
import java.util.Collections;
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

/** Compares distances with transpositions, Hamming distances, and Jaro and Jaro-Winkler similarities with the CPU. */
class DistanceFunctionsGpuTest extends GpuTest {
    private static final StructType PAIRS = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("max", DataTypes.IntegerType);

    private static final List<String> ALPHABETS = List.of(TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED, "aé");

    private static Dataset<Row> rows(List<Pair> pairs, Random random) {
        List<Row> rows = new ArrayList<>();
        for (Pair pair : pairs) {
            rows.add(RowFactory.create(
                    random.nextInt(30) == 0 ? null : pair.a(),
                    random.nextInt(30) == 0 ? null : pair.b(),
                    random.nextInt(30) == 0 ? null : random.nextInt(100) - 1));
        }
        Collections.shuffle(rows, random);
        return rows(PAIRS, 2, rows);
    }

    /** Returns pairs, many of which have lengths around multiples of 32. */
    private static Dataset<Row> everySize() {
        Random random = new Random(1975);
        List<Pair> pairs = new ArrayList<>(TestPairs.many(1976));
        int[] lengths = {0, 1, 31, 33, 64, 65, 96, 97, 128, 150, 160, 161, 192, 256, 257, 320, 321, 513, 700};
        for (String alphabet : ALPHABETS) {
            for (int n : lengths) {
                for (int m : lengths) {
                    String a = TestPairs.random(random, alphabet, n);
                    pairs.add(new Pair(
                            a,
                            random.nextBoolean()
                                    ? TestPairs.mutate(random, alphabet, a, 0.1)
                                    : TestPairs.random(random, alphabet, m)));
                }
            }
        }
        return rows(pairs, random);
    }

    private static Dataset<Row> longPairs(int... lengths) {
        Random random = new Random(1990);
        List<Pair> pairs = new ArrayList<>();
        for (String alphabet : List.of(TestPairs.LETTERS, TestPairs.MIXED)) {
            for (int length : lengths) {
                String a = TestPairs.random(random, alphabet, length);
                pairs.add(new Pair(a, TestPairs.mutate(random, alphabet, a, 0.05)));
                pairs.add(new Pair(TestPairs.random(random, alphabet, 300), a));
            }
        }
        return rows(pairs, random);
    }

    /** Returns pairs, most of which have equal lengths; some are so long that many threads share a pair. */
    private static Dataset<Row> aligned() {
        Random random = new Random(1950);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            String alphabet = ALPHABETS.get(i % ALPHABETS.size());
            int length = i % 1_000 < 4 ? 200_000 + i : random.nextInt(i % 10 == 0 ? 5_000 : 200);
            String a = TestPairs.random(random, alphabet, length);
            pairs.add(new Pair(a, TestPairs.random(random, alphabet, length + (random.nextInt(20) == 0 ? 1 : 0))));
        }
        return rows(pairs, random);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "damerau_levenshtein(a, b)",
                "damerau_levenshtein(a, b, max)",
                "osa_distance(a, b)",
                "osa_distance(a, b, max)",
                "jaro_similarity(a, b)",
                "jaro_winkler_similarity(a, b)",
                "jaro_winkler_similarity(a, 'GATTACA日')"
            })
    void sameAsOnCpu(String call) {
        assertSameAsOnCpu(everySize(), call);
    }

    @ParameterizedTest
    @ValueSource(strings = {"damerau_levenshtein(a, b)", "osa_distance(a, b)", "osa_distance(a, b, 500)"})
    void tiles(String call) {
        assertSameAsOnCpu(longPairs(1_024, 4_097, 12_289), call);
    }

    /** The tables of the longest pairs exceed the memory limit; the other tables do not. */
    @Test
    void tilesBeyondMemory() {
        withConf(GpuSide.MEMORY, "350k", () -> {
            assertSameAsOnCpu(longPairs(1_024, 4_097, 12_289), "damerau_levenshtein(a, b)");
        });
    }

    /** The GPU solves strings of up to 4,096 characters, and the CPU longer ones. */
    @ParameterizedTest
    @ValueSource(strings = {"jaro_similarity", "jaro_winkler_similarity"})
    void jaroOfLongTexts(String name) {
        assertSameAsOnCpu(longPairs(1_025, 4_095, 4_096, 4_097, 100_000), name + "(a, b)");
    }

    /** Tests strings of every length up to 70, and of every third length up to 259. */
    @ParameterizedTest
    @ValueSource(strings = {"jaro_similarity", "jaro_winkler_similarity"})
    void jaroOfNames(String name) {
        Random random = new Random(1989);
        List<Pair> pairs = new ArrayList<>();
        for (String alphabet : List.of(TestPairs.DNA, "ab", TestPairs.LETTERS, TestPairs.MIXED, "aé")) {
            for (int n = 0; n <= 260; n += n < 70 ? 1 : 3) {
                String a = TestPairs.random(random, alphabet, n);
                pairs.add(new Pair(a, TestPairs.mutate(random, alphabet, a, 0.2)));
                pairs.add(new Pair(a, TestPairs.random(random, alphabet, random.nextInt(n + 10))));
            }
        }
        assertSameAsOnCpu(rows(pairs, random), name + "(a, b)");
    }

    /** Compares a checksum of the results of many rows. */
    @ParameterizedTest
    @ValueSource(strings = {"jaro_similarity", "jaro_winkler_similarity"})
    void millionsOfNames(String name) {
        Dataset<Row> pairs = spark().range(0, 3_000_000, 1, 4)
                .selectExpr("substring(md5(cast(id as string)), 1, 20) a", "md5(cast(id + 1 as string)) b");
        assertSameAsOnCpu(name, pairs, "sum(cast(hash(" + name + "(a, b)) as bigint))");
    }

    @Test
    void hammingDistance() {
        assertSameAsOnCpu(aligned(), "try_hamming_distance(a, b)");
    }

    /** The error message is the same as on the CPU. */
    @Test
    void unequalLengths() {
        Dataset<Row> pair = rows(PAIRS, 1, List.of(RowFactory.create("añb", "ab", 0)));
        assertSameFailure(pair, "hamming_distance(a, b)").contains("a has 3 characters and b has 2");
    }

    /** RAPIDS tries again if GPU memory is exhausted. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "try_hamming_distance(a, b)",
                "damerau_levenshtein(a, b)",
                "osa_distance(a, b)",
                "jaro_similarity(a, b)",
                "jaro_winkler_similarity(a, b)"
            })
    void outOfMemory(String call) {
        Dataset<Row> pairs = rows(TestPairs.longer(7), new Random(7));
        for (String injection : List.of("num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=2,type=GPU")) {
            withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
                assertSameAsOnCpu(pairs, call);
            });
        }
    }
}
