package dev.bellman.align.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import dev.bellman.align.TestPairs.Pair;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Compares searches that allow edits with the CPU. */
class SearchFunctionsGpuTest extends GpuTest {
    private static final StructType PAIRS = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("max", DataTypes.IntegerType);

    private static final List<String> ALPHABETS =
            List.of(TestPairs.DNA, "ab", TestPairs.LETTERS, TestPairs.MIXED, "aé");

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

    /** Returns the pattern and a text that contains it with some edits. */
    private static Pair within(Random random, String alphabet, String pattern, int around) {
        return new Pair(
                pattern,
                TestPairs.random(random, alphabet, random.nextInt(around + 1))
                        + TestPairs.mutate(random, alphabet, pattern, 0.1)
                        + TestPairs.random(random, alphabet, random.nextInt(around + 1)));
    }

    /** Returns pairs with patterns of up to 1,025 characters, many of them with lengths around multiples of 32. */
    private static Dataset<Row> everySize() {
        Random random = new Random(1980);
        List<Pair> pairs = new ArrayList<>(TestPairs.many(1981));
        int[] patterns = {
            0, 1, 31, 32, 33, 64, 65, 97, 128, 129, 161, 193, 225, 256, 257, 320, 321, 385, 513, 641, 769, 1_024, 1_025
        };
        int[] texts = {0, 1, 7, 8, 31, 32, 33, 100, 257, 1_000};
        for (String alphabet : ALPHABETS) {
            for (int n : patterns) {
                String pattern = TestPairs.random(random, alphabet, n);
                for (int m : texts) {
                    pairs.add(new Pair(pattern, TestPairs.random(random, alphabet, m)));
                    pairs.add(within(random, alphabet, pattern, m));
                }
            }
        }
        return rows(pairs, random);
    }

    /**
     * Returns pairs with patterns of 1,281 to 12,289 characters, and short patterns with a text of a million letters.
     */
    private static Dataset<Row> longPatterns() {
        Random random = new Random(1999);
        List<Pair> pairs = new ArrayList<>();
        for (String alphabet : List.of(TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED)) {
            for (int n : new int[] {1_281, 2_048, 2_561, 4_097, 5_121, 6_145, 8_192, 8_193, 10_241, 12_288, 12_289}) {
                pairs.add(within(random, alphabet, TestPairs.random(random, alphabet, n), 3_000));
                pairs.add(new Pair(TestPairs.random(random, alphabet, n), TestPairs.random(random, alphabet, 50)));
            }
        }
        String text = TestPairs.random(random, TestPairs.LETTERS, 1_000_000);
        pairs.add(new Pair(text.substring(700_000, 700_300), text));
        pairs.add(new Pair("é" + text.substring(10, 50), text));
        return rows(pairs, random);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance_infix(a, b)",
                "edit_distance_infix(a, b, max)",
                "edit_distance_infix('GATTACA日', b)",
                "edit_distance_infix_position(a, b)",
                "edit_distance_prefix(a, b)",
                "edit_distance_prefix(a, b, max)",
                "edit_distance_prefix_position(a, b)",
                "edit_distance_infix_all(a, b, 3)",
                "edit_distance_infix_all('GATTACA日', b, 100)",
                "try_edit_distance_infix_all(a, b, max)",
                "try_edit_distance_infix_all(a, b, max, length(b) % 2 = 0)",
                "try_edit_distance_infix_all('GATNRYCC', b, 2, true)",
                "try_edit_distance_infix_all(array(a, substring(a, 3, 40), 'GATTACA', ''), b, 3)",
                "try_edit_distance_infix_all(array('ACN', a), b, max, length(b) % 2 = 0)"
            })
    void sameAsOnCpu(String call) {
        assertSameAsOnCpu(everySize(), call);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance_infix(a, b)",
                "edit_distance_infix_position(a, b)",
                "edit_distance_prefix(a, b)",
                "edit_distance_prefix_position(a, b)",
                "edit_distance_infix_all(a, b, cast(length(a) div 8 as int))",
                "edit_distance_infix_all(array(a, substring(a, 9, 100)), b, cast(length(a) div 30 as int))"
            })
    void longPatterns(String call) {
        assertSameAsOnCpu(longPatterns(), call);
    }

    /** Compares a checksum of the results of many rows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance_infix(a, b)",
                "edit_distance_infix_position(a, b)",
                "edit_distance_prefix_position(a, b)"
            })
    void millionsOfRows(String call) {
        Dataset<Row> pairs = spark().range(0, 3_000_000, 1, 4)
                .selectExpr("substring(md5(cast(id as string)), 1, 8) a", "md5(cast(id + 1 as string)) b");
        assertSameAsOnCpu(function(call), pairs, "sum(cast(hash(" + call + ") as bigint))");
    }

    /** Compares the number of matches, and sums over the first and last match of each row. */
    @Test
    void matchesOfAMillionRows() {
        Dataset<Row> pairs = spark().range(0, 1_000_000, 1, 4)
                .selectExpr("substring(md5(cast(id as string)), 1, 8) a", "md5(cast(id % 1000 as string)) b");
        String all = "edit_distance_infix_all(a, b, 4)";
        for (String sum : List.of(
                "sum(size(" + all + "))",
                "sum(get(" + all + ", 0).begin)",
                "sum(get(" + all + ", size(" + all + ") - 1).end)")) {
            assertSameAsOnCpu("edit_distance_infix_all", pairs, sum);
        }
    }

    @Test
    void rejectedRows() {
        Row accepted = RowFactory.create("ACGN", "ACGTACGT", 1);
        assertSameAsOnCpu(
                rows(
                        PAIRS,
                        1,
                        List.of(
                                accepted,
                                RowFactory.create("ACGT", "ACGTACGT", -1),
                                RowFactory.create("", "ACGT", -1),
                                RowFactory.create("", "", Integer.MIN_VALUE),
                                RowFactory.create("ACXT", "ACGTACGT", Integer.MAX_VALUE),
                                RowFactory.create("ACéT", "ACGTACGT", 1),
                                RowFactory.create("ACGT", "日ACGT", 1))),
                "try_edit_distance_infix_all(a, b, max, true)");
        assertThat(failure(
                        rows(PAIRS, 1, List.of(accepted, RowFactory.create("AC", "ACGT", -1))),
                        "edit_distance_infix_all(a, b, max)"))
                .contains("max is -1; it must be at least 0");
        assertThat(failure(
                        rows(PAIRS, 1, List.of(accepted, RowFactory.create("ACX", "ACGT", 1))),
                        "edit_distance_infix_all(a, b, max, true)"))
                .contains("character 3 of a pattern (counted from 1) is 'X'");
        assertThat(failure(
                        rows(PAIRS, 1, List.of(accepted, RowFactory.create(null, "ACGT", 1))),
                        "edit_distance_infix_all(array('A', a), b, max)"))
                .contains("patterns");
    }

    /** Tests bytes that are not valid UTF-8. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance_infix_position(a, b)",
                "edit_distance_prefix_position(a, b)",
                "edit_distance_infix_all(a, b, 2)"
            })
    void malformedText(String call) {
        Random random = new Random(1993);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            rows.add(RowFactory.create(
                    TestPairs.malformed(random, i % 100 == 0 ? 500 : 20),
                    TestPairs.malformed(random, i % 100 == 0 ? 1_000 : 40)));
        }
        assertSameAsOnCpu(texts(BYTES, rows), call);
    }

    @Test
    void nothingButNullsAndEmptyStrings() {
        Row nulls = RowFactory.create(null, null, null);
        for (String call : List.of(
                "edit_distance_infix(a, b)",
                "edit_distance_infix_position(a, b)",
                "edit_distance_prefix(a, b)",
                "edit_distance_infix_all(a, b, 2)")) {
            assertSameAsOnCpu(rows(PAIRS, 1, Arrays.asList(nulls, nulls)), call);
            assertSameAsOnCpu(rows(PAIRS, 1, List.of(RowFactory.create("", "", 0))), call);
            assertSameAsOnCpu(rows(PAIRS, 1, List.of(RowFactory.create("", "日本", 0), nulls)), call);
            assertSameAsOnCpu(rows(PAIRS, 1, List.of(RowFactory.create("日本", "", 0))), call);
            assertSameAsOnCpu(rows(PAIRS, 1, List.of()), call);
        }
    }

    /** RAPIDS tries again if GPU memory is exhausted. */
    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=4,type=GPU"})
    void outOfMemory(String injection) {
        Dataset<Row> pairs = rows(TestPairs.longer(7), new Random(7));
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            assertSameAsOnCpu(pairs, "edit_distance_infix(a, b)");
            assertSameAsOnCpu(pairs, "edit_distance_infix_position(a, b)");
            assertSameAsOnCpu(pairs, "edit_distance_infix_all(a, b, 20)");
            assertSameAsOnCpu(pairs, "try_edit_distance_infix_all(array(a, 'ACG'), b, 20)");
        });
    }
}
