package dev.bellman.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellman.BellmanException;
import dev.bellman.GpuTest;
import dev.bellman.Thorough;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordBreakGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType().add("t", DataTypes.StringType);

    private static String letters(SplittableRandom random, int alphabet, int length) {
        String[] letters = {"a", "b", "\u00e9", "\u00e8", "\ud83d\ude00", "z"};
        return IntStream.range(0, length)
                .mapToObj(i -> letters[random.nextInt(alphabet)])
                .collect(Collectors.joining());
    }

    private static String[] words(SplittableRandom random, int count, int alphabet, int longest) {
        String[] words = new String[count];
        Arrays.setAll(words, i -> letters(random, alphabet, 1 + random.nextInt(longest)));
        return words;
    }

    /** Returns strings of words; some of them are cut off, contain an additional x, or are NULL. */
    private static List<Row> strings(SplittableRandom random, int count, int longest, String... words) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(longest);
            while (text.length() < length) {
                text.append(random.nextInt(200) == 0 ? "x" : words[random.nextInt(words.length)]);
            }
            if (random.nextInt(4) == 0) {
                text.setLength(length);
            }
            rows.add(RowFactory.create(random.nextInt(30) == 0 ? null : text.toString()));
        }
        return rows;
    }

    private static String array(Stream<String> elements) {
        return elements.collect(Collectors.joining(", ", "array(", ")"));
    }

    private static String list(String... words) {
        return array(Stream.of(words).map(word -> "'" + word + "'"));
    }

    private static String list(DoubleStream weights) {
        return array(weights.mapToObj(weight -> weight + "D"));
    }

    private static void compare(List<Row> rows, String arguments) {
        assertSameAsOnCpu(rows(SCHEMA, 2, rows), "try_word_break(t, %s)".formatted(arguments));
    }

    @Test
    void random() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < Thorough.rounds(6, 40); round++) {
            String[] words = words(random, 1 + random.nextInt(30), 2 + round % 5, 1 + random.nextInt(6));
            List<Row> rows = strings(random, 2_000, 20 + 20 * round, words);
            compare(rows, list(words));
            compare(rows, list(words) + ", " + list(random.doubles(words.length).map(Math::log)));
            compare(
                    rows,
                    list(words) + ", " + list(random.ints(words.length, -3, 1).asDoubleStream()));
        }
    }

    /** Tests all lengths below 140, lengths around the limits of classes, and longer strings, which the CPU solves. */
    @Test
    void lengths() {
        SplittableRandom random = new SplittableRandom(2);
        String[] words = words(random, 12, 2, 4);
        List<Row> rows = new ArrayList<>();
        for (int length = 0; length < 140; length++) {
            rows.add(RowFactory.create(letters(random, 2, length)));
        }
        for (int length : new int[] {255, 256, 257, 1_024, 4_097, 16_383, 16_384, 16_385, 40_000}) {
            rows.add(RowFactory.create("a".repeat(length)));
            rows.add(RowFactory.create(letters(random, 2, length)));
        }
        compare(rows, list(words) + ", " + list(random.doubles(words.length)));
        compare(rows, list("a", "b", "ab", "a".repeat(300), "a".repeat(20_000)));
    }

    /** Tests weights that are equal, duplicate words, and extreme weights. */
    @Test
    void ties() {
        List<Row> rows = strings(new SplittableRandom(3), 3_000, 40, "a", "b");
        String[] words = {"a", "b", "a", "ab", "aa", "aab", "bb", "ab"};
        compare(rows, list(words) + ", array(0D, -0D, -0D, 0D, 0D, -0D, 0D, -1D)");
        compare(rows, list(words) + ", array(-1e100, 1e100, -1, 1e100, 1e-300, -4.9e-324, 0, 1e100)");
        compare(rows, list(words) + ", array(0.1, 0.2, 0.3, 0.3, 0.2, 0.4, 0.4, 0.1)");
    }

    /** Tests a list of words that would not fit in a column if it were copied to each row. */
    @Test
    void manyWords() {
        SplittableRandom random = new SplittableRandom(4);
        String[] words = words(random, 3_000, 6, 9);
        assertSameAsOnCpu(
                rows(SCHEMA, 1, strings(random, 100_000, 40, words)),
                "try_word_break(t, %s)".formatted(list(words) + ", " + list(random.doubles(words.length))));
    }

    @Test
    void constantColumns() {
        Dataset<Row> input = rows(SCHEMA, 2, strings(new SplittableRandom(5), 500, 30, "now", "here", "nowhere"))
                .selectExpr("t", "split('now here nowhere', ' ') AS words", "array(-1.5, -2, -3) AS weights");
        assertSameAsOnCpu(input, "try_word_break(t, words)");
        assertSameAsOnCpu(input, "try_word_break(t, words, weights)");
        assertSameAsOnCpu(input, "try_word_break(upper(t), words, weights)");
    }

    /** If the words or the weights are not constant, RAPIDS leaves the call to the CPU. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "try_word_break(t, array('now', left(t, 3)))",
                "try_word_break(t, array('now', 'here'), array(length(t), 1D))"
            })
    void notConstant(String call) {
        Dataset<Row> input = rows(SCHEMA, 2, strings(new SplittableRandom(6), 500, 30, "now", "here"));
        Dataset<Row> query = input.selectExpr(call);
        List<Row> found = query.collectAsList();
        assertThat(query.queryExecution().executedPlan().toString()).doesNotContain("gpu_try_word_break(");
        assertThat(found).isEqualTo(withConf("spark.rapids.sql.enabled", "false", () -> input.selectExpr(call)
                .collectAsList()));
    }

    /** Rows, and tries, that do not fit in GPU memory are solved on the CPU. */
    @ParameterizedTest
    @ValueSource(strings = {"1k", "20k"})
    void onCpu(String memory) {
        SplittableRandom random = new SplittableRandom(7);
        String[] words = words(random, 40, 3, 5);
        withConf("spark.bellman.gpuMemory", memory, () -> {
            compare(strings(random, 500, 300, words), list(words));
            compare(strings(random, 500, 300, "a", "b"), list("a", "b", "abba"));
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "array('no', 'where')",
                "array('now', '')",
                "array('now', NULL, 'here')",
                "array('now', 'here'), array(1D)",
                "array('now', 'here'), array(1D, CAST('NaN' AS DOUBLE))",
                "array('now', 'here'), array(1D, 2e100)",
                "array('now', 'here'), array(1D, NULL)"
            })
    void rejectedRows(String arguments) {
        List<Row> rows = Stream.of("nowhere", null, "", "nowherex", "here")
                .map(RowFactory::create)
                .toList();
        compare(rows, arguments);
        Dataset<Row> input = rows(SCHEMA, 1, rows);
        assertSameFailure(input, "word_break(t, %s)".formatted(arguments));
    }

    @Test
    void nothing() {
        compare(List.of(), list("a"));
        compare(List.of(RowFactory.create((Object) null)), list("a"));
        compare(List.of(RowFactory.create("")), list("a"));
        compare(List.of(RowFactory.create(""), RowFactory.create("a")), "CAST(array() AS ARRAY<STRING>)");
        compare(List.of(RowFactory.create("x")), list("a"));
    }

    /** Calls behave like built-in functions: equal calls are computed once and can be grouped. */
    @Test
    void inPlans() {
        rows(SCHEMA, 2, strings(new SplittableRandom(8), 2_000, 12, "now", "here", "no", "w"))
                .createOrReplaceTempView("strings");
        String call = "try_word_break(t, array('now', 'here', 'no', 'w'))";
        String query = "SELECT size(%1$s), count(*), max(array_join(%1$s, ' ')) FROM strings GROUP BY size(%1$s)"
                .formatted(call);
        Dataset<Row> onGpu = spark().sql(query);
        List<Row> found = onGpu.collectAsList();
        assertThat(onGpu.queryExecution().executedPlan().toString()).contains("gpu_try_word_break(");
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        withConf("spark.rapids.sql.enabled", "false", () -> spark().sql(query)
                                .collectAsList()));
        Throwable failure = catchThrowable(() ->
                spark().sql("SELECT word_break(t, array('now')) FROM strings").collectAsList());
        assertThat(BellmanException.in(failure)).isPresent();
    }
}
