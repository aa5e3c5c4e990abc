package dev.bellman.align.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
import dev.bellman.align.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the ratios with the CPU. */
class RatioFunctionsGpuTest extends GpuTest {
    private static final StructType PAIRS =
            new StructType().add("a", DataTypes.StringType).add("b", DataTypes.StringType);

    private static final List<String> ALPHABETS = List.of(
            TestPairs.DNA, "ab ", TestPairs.LETTERS + "    ", TestPairs.MIXED + "  ", "aé \u00a0", "中 a\u3000\t");

    static List<String> calls() {
        return List.of(
                "ratio(a, b)",
                "partial_ratio(a, b)",
                "token_sort_ratio(a, b)",
                "token_set_ratio(a, b)",
                "weighted_ratio(a, b)");
    }

    private static Dataset<Row> rows(List<Pair> pairs, Random random) {
        List<Row> rows = new ArrayList<>();
        for (Pair pair : pairs) {
            rows.add(RowFactory.create(
                    random.nextInt(30) == 0 ? null : pair.a(), random.nextInt(30) == 0 ? null : pair.b()));
        }
        Collections.shuffle(rows, random);
        return rows(PAIRS, 2, rows);
    }

    /** Returns pairs, many of which have lengths around multiples of 32. */
    private static Dataset<Row> everySize() {
        Random random = new Random(2011);
        List<Pair> pairs = new ArrayList<>(TestPairs.many(2012));
        int[] lengths = {0, 1, 2, 8, 30, 31, 32, 33, 63, 64, 65, 97, 128, 129, 161, 193, 255, 256, 257, 300, 513};
        for (String alphabet : ALPHABETS) {
            for (int n : lengths) {
                for (int m : lengths) {
                    String a = TestPairs.random(random, alphabet, n);
                    pairs.add(new Pair(a, TestPairs.random(random, alphabet, m)));
                    pairs.add(new Pair(
                            a,
                            TestPairs.random(random, alphabet, m / 4)
                                    + TestPairs.mutate(random, alphabet, a, 0.2)
                                    + TestPairs.random(random, alphabet, m / 4)));
                }
            }
        }
        return rows(pairs, random);
    }

    /**
     * Returns pairs with words that are reordered, repeated, numerous or separated by all kinds of white space, and
     * long strings.
     */
    private static Dataset<Row> words() {
        Random random = new Random(2013);
        List<String> spaces =
                List.of(" ", "  ", "\t", "\n", "\u001c", "\u001b", "\u0085", "\u00a0", "\u2003", "\u3000");
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            String alphabet = i % 3 == 0 ? "ab" : i % 3 == 1 ? TestPairs.LETTERS : "aé文😀";
            int count = i % 200 == 0 ? 60 + random.nextInt(10) : i % 1_000 == 1 ? 3_000 : random.nextInt(8);
            List<String> words = new ArrayList<>();
            for (int w = 0; w < count; w++) {
                words.add(TestPairs.random(random, alphabet, random.nextInt(7)));
            }
            List<String> others = new ArrayList<>(words);
            Collections.shuffle(others, random);
            String space = i % 5 == 0 ? spaces.get(random.nextInt(spaces.size())) : " ";
            pairs.add(new Pair(
                    String.join(" ", words), TestPairs.mutate(random, alphabet, String.join(space, others), 0.05)));
        }
        return rows(pairs, random);
    }

    /**
     * Returns pairs of strings that consist of the same few words. In some pairs, one string has many more words than
     * the other.
     */
    private static Dataset<Row> commonWords() {
        Random random = new Random(2015);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            String alphabet = List.of("ab", TestPairs.LETTERS, "aé文😀").get(i % 3);
            List<String> words = new ArrayList<>();
            for (int w = 0; w < 5; w++) {
                words.add(TestPairs.random(random, alphabet, 1 + random.nextInt(6)));
            }
            pairs.add(new Pair(someOf(random, words, i % 10 == 0 ? 30 : 5), someOf(random, words, 5)));
        }
        return rows(pairs, random);
    }

    private static String someOf(Random random, List<String> words, int most) {
        List<String> some = new ArrayList<>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            String word = words.get(random.nextInt(words.size()));
            some.add(random.nextInt(4) == 0 ? word + "x" : word);
        }
        return String.join(" ", some);
    }

    private static Dataset<Row> longPairs() {
        Random random = new Random(2014);
        List<Pair> pairs = new ArrayList<>();
        for (String alphabet : List.of(TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED)) {
            for (int length : new int[] {1_025, 4_095, 4_096, 4_097, 12_289}) {
                String a = TestPairs.random(random, alphabet, length);
                pairs.add(new Pair(a, TestPairs.random(random, alphabet, 1 + random.nextInt(100))));
                pairs.add(new Pair(a.substring(300, 500), a));
                pairs.add(new Pair(a, TestPairs.mutate(random, alphabet, a.substring(0, 900), 0.05)));
            }
        }
        return rows(pairs, random);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ratio(a, b)",
                "ratio(a, 'GATTACA日')",
                "partial_ratio(a, b)",
                "partial_ratio('GATTACA', b)",
                "token_sort_ratio(a, b)",
                "partial_token_sort_ratio(a, b)",
                "token_set_ratio(a, b)",
                "weighted_ratio(a, b)",
                "weighted_ratio(a, 'GATTACA 日本')"
            })
    void sameAsOnCpu(String call) {
        assertSameAsOnCpu(everySize(), call);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ratio(a, b)",
                "partial_ratio(a, b)",
                "token_sort_ratio(a, b)",
                "partial_token_sort_ratio(a, b)",
                "token_set_ratio(a, b)",
                "weighted_ratio(a, b)"
            })
    void words(String call) {
        assertSameAsOnCpu(words(), call);
    }

    @ParameterizedTest
    @ValueSource(strings = {"token_set_ratio(a, b)", "weighted_ratio(a, b)"})
    void commonWords(String call) {
        assertSameAsOnCpu(commonWords(), call);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void longPairs(String call) {
        assertSameAsOnCpu(longPairs(), call);
    }

    /** Compares a checksum of the results of many rows. */
    @ParameterizedTest
    @MethodSource("calls")
    void millionsOfRows(String call) {
        Dataset<Row> pairs = spark().range(0, 2_000_000, 1, 4)
                .selectExpr(
                        "translate(substring(md5(cast(id as string)), 1, 20), '67', '  ') a",
                        "translate(md5(cast(id + 1 as string)), '67', '  ') b");
        assertSameAsOnCpu(function(call), pairs, "sum(cast(hash(" + call + ") as bigint))");
    }

    /** Tests bytes that are not valid UTF-8. */
    @ParameterizedTest
    @MethodSource("calls")
    void malformedText(String call) {
        Random random = new Random(1993);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            rows.add(RowFactory.create(
                    TestPairs.malformed(random, i % 100 == 0 ? 500 : 20),
                    TestPairs.malformed(random, i % 100 == 0 ? 300 : 40)));
        }
        assertSameAsOnCpu(texts(BYTES, rows), call);
    }

    @Test
    void nothingButNullsAndEmptyStrings() {
        Row nulls = RowFactory.create(null, null);
        for (String call : calls()) {
            assertSameAsOnCpu(rows(PAIRS, 1, Arrays.asList(nulls, nulls)), call);
            assertSameAsOnCpu(rows(PAIRS, 1, List.of(RowFactory.create("", ""))), call);
            assertSameAsOnCpu(rows(PAIRS, 1, List.of(RowFactory.create("", "日本"), nulls)), call);
            assertSameAsOnCpu(rows(PAIRS, 1, List.of(RowFactory.create("  ", " "))), call);
            assertSameAsOnCpu(
                    rows(PAIRS, 1, List.of(RowFactory.create("--", ""), nulls)), call.replace(")", ", true)"));
            assertSameAsOnCpu(rows(PAIRS, 1, List.of()), call);
        }
    }

    /**
     * Returns strings in several scripts, many of which have spaces at their ends or become longer or shorter when they
     * are normalized, and strings that are not valid UTF-8; with a column {@code c} of type BOOLEAN.
     */
    private static Dataset<Row> toNormalize() {
        Random random = new Random(2016);
        List<String> alphabets = List.of(
                "aA bB-_", "éÉŸ a", "Σσς ", "İIıi", "ȺⱥKK", "中文・ ", "\ud801\udc00😀a ", "e\u0301½Ⅷ", " \u2003\t.");
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            String alphabet = alphabets.get(i % alphabets.size());
            int most = i % 500 == 0 ? 3_000 : i % 20 == 0 ? 90 : 20;
            byte[] a = spaced(random, TestPairs.random(random, alphabet, random.nextInt(most)));
            byte[] b = random.nextInt(8) == 0
                    ? TestPairs.malformed(random, most)
                    : spaced(random, TestPairs.random(random, alphabet, random.nextInt(most)));
            Boolean c = random.nextInt(30) == 0 ? null : random.nextBoolean();
            rows.add(RowFactory.create(random.nextInt(30) == 0 ? null : a, b, c));
        }
        return texts(BYTES.add("c", DataTypes.BooleanType), rows);
    }

    private static byte[] spaced(Random random, String string) {
        String spaces = " .\t\u2003".repeat(random.nextInt(6));
        return (spaces + string + (random.nextBoolean() ? spaces : "")).getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ratio(a, b, true)",
                "ratio(a, 'GATTACA 日', true)",
                "partial_ratio(a, b, true)",
                "token_sort_ratio(a, b, true)",
                "partial_token_sort_ratio(a, b, true)",
                "token_set_ratio(a, b, true)",
                "weighted_ratio(a, b, true)"
            })
    void normalized(String call) {
        assertSameAsOnCpu(toNormalize(), call);
        assertSameAsOnCpu(words(), call);
        assertSameAsOnCpu(longPairs(), call);
    }

    /** Normalizes the strings of some rows. */
    @ParameterizedTest
    @ValueSource(strings = {"ratio(a, b, c)", "partial_ratio(a, b, c)", "weighted_ratio(a, b, c)"})
    void someNormalized(String call) {
        assertSameAsOnCpu(toNormalize(), call);
    }

    /** Compares characters with the result of normalizing them on the CPU; the ratio of equal strings is 100. */
    @Test
    void normalizedCharacters() {
        List<Row> rows = new ArrayList<>();
        for (int character = 0; character < 0x110000; character += character < 0x20000 ? 1 : 101) {
            int[] a = {'x', character, 'x'};
            rows.add(RowFactory.create(bytes(a), bytes(Normalization.of(a))));
        }
        Dataset<Row> pairs = texts(BYTES, rows);
        assertSameAsOnCpu(pairs, "ratio(a, b, true)");
        assertThat(pairs.filter("ratio(a, b, true) < 100").isEmpty()).isTrue();
    }

    private static byte[] bytes(int... characters) {
        return Text.of(characters, 0, characters.length).bytes();
    }

    /** RAPIDS tries again if GPU memory is exhausted. */
    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=4,type=GPU"})
    void outOfMemory(String injection) {
        Dataset<Row> pairs = rows(TestPairs.longer(7), new Random(7));
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            for (String call : calls()) {
                assertSameAsOnCpu(pairs, call);
                assertSameAsOnCpu(pairs, call.replace(")", ", true)"));
            }
        });
    }
}
