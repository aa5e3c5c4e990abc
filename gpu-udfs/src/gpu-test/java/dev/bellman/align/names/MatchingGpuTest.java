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

/** Compares {@code monge_elkan}, {@code pairwise_min} and {@code pairwise_max} with the CPU. */
class MatchingGpuTest extends GpuTest {
    private static final StructType WORDS = new StructType()
            .add("a", DataTypes.BinaryType)
            .add("b", DataTypes.BinaryType)
            .add("metric", DataTypes.StringType);

    private static final StructType LISTS = new StructType()
            .add("a", DataTypes.createArrayType(DataTypes.StringType))
            .add("b", DataTypes.createArrayType(DataTypes.StringType))
            .add("metric", DataTypes.StringType);

    private static final List<String> METRICS = List.of(
            "edit_distance",
            "osa_distance",
            "damerau_levenshtein",
            "jaro_similarity",
            "jaro_winkler_similarity",
            "ratio",
            "jaro_similarity",
            "jaro_winkler_similarity",
            "ratio",
            "partial_ratio",
            "token_sort_ratio",
            "token_set_ratio",
            "weighted_ratio",
            "soundex");

    private static final List<String> ALPHABETS = List.of("ab", TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED);

    private static String metric(Random random) {
        return random.nextInt(40) == 0 ? null : METRICS.get(random.nextInt(METRICS.size()));
    }

    private static byte[] bytes(Random random, String text) {
        return random.nextInt(30) == 0 ? TestPairs.malformed(random, 20) : text.getBytes(UTF_8);
    }

    /**
     * Returns pairs of texts with few or many words, which are short or long. The words of b are mutated copies of
     * words of a, in reverse order. Some texts are NULL or not valid UTF-8.
     */
    private static Dataset<Row> words() {
        Random random = new Random(1996);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            String alphabet = ALPHABETS.get(i % 4);
            int count = i % 100 == 0 ? 70 : i % 10 == 0 ? 20 : 5;
            StringBuilder a = new StringBuilder();
            StringBuilder b = new StringBuilder();
            for (int word = random.nextInt(count); word > 0; word--) {
                String its = TestPairs.random(random, alphabet, 1 + random.nextInt(i % 50 == 0 ? 70 : 12));
                a.append(its).append(random.nextInt(8) == 0 ? "\t " : " ");
                b.insert(0, random.nextInt(3) == 0 ? "" : TestPairs.mutate(random, alphabet, its, 0.2) + " ");
            }
            rows.add(RowFactory.create(
                    i % 31 == 0 ? null : bytes(random, a.toString()),
                    i % 37 == 0 ? null : bytes(random, b.toString()),
                    metric(random)));
        }
        return texts(WORDS, rows);
    }

    private static String[] list(Random random, String alphabet, String like) {
        if (random.nextInt(40) == 0) {
            return null;
        }
        int count = random.nextInt(40) == 0 ? 0 : 1 + random.nextInt(random.nextInt(50) == 0 ? 40 : 4);
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            texts[i] = random.nextInt(3) == 0
                    ? TestPairs.random(random, alphabet, random.nextInt(66))
                    : TestPairs.mutate(random, alphabet, like, 0.2);
            if (random.nextInt(200) == 0) {
                texts[i] = null;
            }
        }
        return texts;
    }

    private static Dataset<Row> lists() {
        Random random = new Random(1997);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            String alphabet = ALPHABETS.get(i % 4);
            String like = TestPairs.random(random, alphabet, random.nextInt(i % 10 == 0 ? 64 : 20));
            rows.add(RowFactory.create(list(random, alphabet, like), list(random, alphabet, like), metric(random)));
        }
        return lists(rows);
    }

    private static Dataset<Row> lists(List<Row> rows) {
        return rows(LISTS, 1, rows);
    }

    @ParameterizedTest
    @ValueSource(strings = {"metric", "'ratio'", "'jaro_winkler_similarity'"})
    void mongeElkan(String metric) {
        assertSameAsOnCpu(words(), "try_monge_elkan(a, b, %s)".formatted(metric));
    }

    @ParameterizedTest
    @ValueSource(strings = {"metric", "'edit_distance'", "'damerau_levenshtein'", "'jaro_similarity'"})
    void pairwise(String metric) {
        for (String function : List.of("try_pairwise_min", "try_pairwise_max")) {
            assertSameAsOnCpu(lists(), "%s(a, b, %s)".formatted(function, metric));
        }
    }

    @Test
    void pairwiseOfMalformedTexts() {
        Dataset<Row> lists = words().selectExpr("array(a, b) a", "array(b) b", "metric");
        assertSameAsOnCpu(lists, "try_pairwise_min(a, b, metric)");
    }

    /** Error messages are the same as on the CPU. */
    @Test
    void rejected() {
        String[] text = {"a"};
        byte[] word = {'a'};
        Dataset<Row> wrongMetric = texts(WORDS, List.of(RowFactory.create(word, word, "edit_distance")));
        assertSameFailure(wrongMetric, "monge_elkan(a, b, metric)").contains("must be one of jaro_similarity");
        Dataset<Row> empty = lists(List.of(RowFactory.create(text, new String[0], "ratio")));
        assertSameFailure(empty, "pairwise_min(a, b, metric)").contains("b is empty");
        Dataset<Row> hasNull = lists(List.of(RowFactory.create(new String[] {"a", null}, text, "ratio")));
        assertSameFailure(hasNull, "pairwise_max(a, b, metric)").contains("entry 2 of a (counted from 1) is NULL");
    }

    /** Compares a checksum of the results of many rows. */
    @Test
    void millionsOfRows() {
        Dataset<Row> names = spark().range(0, 1_000_000, 1, 4)
                .selectExpr(
                        "translate(substring(md5(cast(id as string)), 1, 20), '67', '  ') a",
                        "translate(substring(md5(cast(id + 1 as string)), 1, 20), '67', '  ') b");
        assertSameAsOnCpu(
                "monge_elkan", names, "sum(cast(hash(monge_elkan(a, b, 'jaro_winkler_similarity')) as bigint))");
        assertSameAsOnCpu(
                "pairwise_min",
                names.selectExpr("array(a, b) a", "array(b) b"),
                "sum(cast(hash(pairwise_min(a, b, 'osa_distance')) as bigint))");
    }

    @Test
    void nothingButNullsAndEmptyStrings() {
        Row nulls = RowFactory.create(null, null, "ratio");
        byte[] empty = {};
        byte[] blank = {' '};
        for (List<Row> rows : List.of(
                List.<Row>of(),
                Arrays.asList(nulls, nulls),
                List.of(RowFactory.create(empty, empty, "ratio"), nulls),
                List.of(RowFactory.create(blank, new byte[] {'a'}, "ratio")))) {
            assertSameAsOnCpu(texts(WORDS, rows), "monge_elkan(a, b, metric)");
        }
        for (List<Row> rows : List.of(
                List.<Row>of(),
                Arrays.asList(nulls, nulls),
                List.of(RowFactory.create(new String[] {""}, new String[] {"", " "}, "jaro_similarity"), nulls))) {
            assertSameAsOnCpu(lists(rows), "pairwise_max(a, b, metric)");
        }
    }
}
