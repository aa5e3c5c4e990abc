package dev.bellman.align.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlignmentGpuTest extends GpuTest {
    static final StructType PAIRS = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("mode", DataTypes.StringType)
            .add("scoring", DataTypes.StringType)
            .add("least", DataTypes.LongType);

    static final String[] MODES = {"global", "local", "overlap", "fit_a_in_b", "fit_b_in_a"};
    static final String[] SCORINGS = {
        "match 2 mismatch -3 open 5 extend 2",
        "match 0 mismatch -1 open 1 extend 1",
        "match 3 mismatch -2 insert open 4 extend 2 delete open 7 extend 1",
        "match 2 mismatch 1 open 3 extend 0",
        "match 32767 mismatch -32767 open 32767 extend 32767",
        "nuc44 other -4 open 10 extend 1",
        "blosum62 open 11 extend 1"
    };
    static final int[] LENGTHS = {
        0, 1, 2, 7, 31, 63, 64, 65, 96, 97, 128, 129, 150, 152, 153, 160, 161, 192, 256, 257, 320, 400
    };

    static String text(Random random, String alphabet, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    static String near(Random random, String alphabet, String a) {
        StringBuilder b = new StringBuilder(a);
        for (int edits = random.nextInt(2 + a.length() / 10); edits > 0; edits--) {
            int at = random.nextInt(b.length() + 1);
            if (random.nextBoolean()) {
                b.insert(at, text(random, alphabet, random.nextInt(4)));
            } else {
                b.delete(at, Math.min(b.length(), at + random.nextInt(4)));
            }
        }
        return b.toString();
    }

    private static Dataset<Row> pairs(int count, int partitions, int... lengths) {
        Random random = new Random(1982);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String alphabet = i % 3 == 0 ? "ARNDCQEGHILKMFPSTWYV" : i % 17 == 0 ? "ACGTacgt" : "ACGT";
            String a = text(random, alphabet, lengths[random.nextInt(lengths.length)]);
            String b = random.nextInt(3) > 0
                    ? near(random, alphabet, a)
                    : text(random, alphabet, lengths[random.nextInt(lengths.length)]);
            String scoring = SCORINGS[i % 3 == 0 ? 6 : random.nextInt(6)];
            rows.add(RowFactory.create(
                    random.nextInt(40) == 0 ? null : a,
                    random.nextInt(40) == 0
                            ? null
                            : i % 101 == 0 && i % 3 > 0 && !scoring.startsWith("nuc") ? b + "é" : b,
                    random.nextInt(40) == 0 ? null : MODES[random.nextInt(MODES.length)],
                    random.nextInt(40) == 0 ? null : scoring,
                    random.nextInt(40) == 0 ? null : random.nextInt(200) - 50L));
        }
        return rows(PAIRS, partitions, rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alignment_score(a, b, mode, scoring)",
                "alignment_score(a, b, mode, scoring, least)",
                "alignment_score(a, b, mode, 'match 2 mismatch -3 open 5 extend 2')",
                "alignment_score(a, b, 'global', 'match 1 mismatch -4 open 6 extend 1')",
                "alignment_score(a, b, 'local', 'blosum62 other -4 open 11 extend 1')",
                "alignment_score(a, b, 'overlap', 'match 2 mismatch -3 open 5 extend 2', 10)"
            })
    void scoresAreSameAsOnCpu(String expression) {
        assertSameAsOnCpu(pairs(20_000, 2, LENGTHS), expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alignment(a, b, mode, scoring)",
                "alignment(a, b, mode, scoring, least)",
                "alignment(a, b, 'global', 'match 2 mismatch -3 open 5 extend 2')",
                "alignment(a, b, mode, 'blosum62 other -4 open 11 extend 1')"
            })
    void alignmentsAreSameAsOnCpu(String expression) {
        assertSameAsOnCpu(pairs(10_000, 2, LENGTHS), expression);
    }

    /** Tests a strategy that fills a table for every pair, even if wavefronts would be faster. */
    @Test
    void antiDiagonals() {
        withConf("spark.bellman.alignment.strategy", "anti-diagonal", () -> {
            assertSameAsOnCpu(pairs(3_000, 1, LENGTHS), "alignment_score(a, b, 'global', scoring)");
            assertSameAsOnCpu(pairs(3_000, 1, LENGTHS), "alignment(a, b, 'global', scoring)");
        });
    }

    /** Tests many pairs with the same a. */
    @ParameterizedTest
    @ValueSource(strings = {"global", "local", "overlap", "fit_a_in_b", "fit_b_in_a"})
    void oneQuery(String mode) {
        Random random = new Random(1988);
        Dataset<Row> pairs = pairs(1_000, 1, 0, 1, 30, 127, 400, 500, 1_000);
        for (int length : new int[] {0, 1, 128, 150, 400, 1_000, 1_100}) {
            String query = text(random, "ARNDCQEGHILKMFPSTWYV", length);
            assertSameAsOnCpu(
                    pairs,
                    "alignment_score('%s', b, '%s', 'blosum62 other -4 open 11 extend 1')".formatted(query, mode));
        }
    }

    /** Tests a few queries, each followed by many targets, as in a cross product, with some NULLs. */
    @Test
    void fewQueries() {
        Random random = new Random(1989);
        String letters = "ARNDCQEGHILKMFPSTWYV";
        List<Row> rows = new ArrayList<>();
        for (int i = 0, left = 0; i < 6_000; i++, left--) {
            if (left == 0) {
                left = 1 + random.nextInt(1_200);
                rows.add(RowFactory.create(text(random, letters, random.nextInt(500)), "MK", "local", "", 0L));
            }
            rows.add(RowFactory.create(
                    random.nextInt(1_500) == 0
                            ? null
                            : rows.get(rows.size() - 1).get(0),
                    random.nextInt(40) == 0 ? null : text(random, letters, random.nextInt(400)),
                    random.nextInt(40) == 0 ? "global" : "local",
                    "",
                    random.nextInt(80) - 10L));
        }
        Dataset<Row> pairs = rows(PAIRS, 1, rows);
        assertSameAsOnCpu(pairs, "alignment_score(a, b, mode, 'blosum62 open 11 extend 1', least)");
        assertSameAsOnCpu(pairs, "alignment_score(a, b, 'overlap', 'pam250 gap 9')");
        // scores that fit in a byte, whose sums exceed 16 bits in long pairs, and a score that does not fit in a byte
        for (int largest : new int[] {20, 127, 128}) {
            String scores = random.ints(400, -largest + 1, largest + 1)
                    .mapToObj(String::valueOf)
                    .collect(Collectors.joining(" "));
            for (String mode : MODES) {
                assertSameAsOnCpu(
                        pairs,
                        "alignment_score(a, b, '%s', 'matrix %s %s insert open 100 extend 3 delete open 127 extend 2')"
                                .formatted(mode, letters, scores));
            }
        }
    }

    /** Tests tables in stripes, and packed tables with the maximum number of rows. */
    @Test
    void longPairs() {
        Dataset<Row> pairs = pairs(150, 1, 500, 511, 512, 513, 640, 641, 1_023, 1_024, 1_025, 1_600, 3_000);
        assertSameAsOnCpu(pairs, "alignment_score(a, b, mode, scoring)");
        assertSameAsOnCpu(pairs, "alignment(a, b, mode, scoring)");
    }

    /** Fits short strings into long ones, and aligns a million letters with a single letter, on either side. */
    @Test
    void sidesOfDifferentLengths() {
        Random random = new Random(1970);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            String letters = i % 2 == 0 ? "AC" : "ACGT";
            String part = text(random, letters, random.nextInt(i % 8 == 0 ? 600 : 60));
            String whole = text(random, letters, random.nextInt(700))
                    + near(random, letters, part)
                    + text(random, letters, random.nextInt(700));
            rows.add(RowFactory.create(
                    i % 4 < 2 ? part : whole,
                    i % 4 < 2 ? whole : part,
                    MODES[i % 3 == 0 ? random.nextInt(5) : 3 + random.nextInt(2)],
                    SCORINGS[random.nextInt(SCORINGS.length)],
                    0L));
        }
        String million = text(random, "ACG", 700_000) + "T" + text(random, "ACG", 299_999);
        for (String mode : MODES) {
            for (String one : new String[] {"T", "A"}) {
                rows.add(RowFactory.create(million, one, mode, SCORINGS[0], 0L));
                rows.add(RowFactory.create(one, million, mode, SCORINGS[2], 0L));
            }
        }
        Dataset<Row> pairs = rows(PAIRS, 1, rows);
        assertSameAsOnCpu(pairs, "alignment_score(a, b, mode, scoring)");
        assertSameAsOnCpu(pairs, "alignment(a, b, mode, scoring)");
    }

    /**
     * The traceback bits of the largest tables exceed the memory limit, but those of one to three of their stripes do
     * not.
     */
    @Test
    void pairsInParts() {
        Dataset<Row> pairs = pairs(60, 1, 257, 600, 1_024, 1_025, 2_000, 3_000);
        withConf("spark.bellman.gpuMemory", "2300k", () -> {
            assertSameAsOnCpu(pairs, "alignment(a, b, mode, scoring, least)");
            assertSameAsOnCpu(pairs, "alignment(a, b, mode, 'blosum62 other -4 open 11 extend 1')");
        });
    }

    /**
     * Tests wavefronts in shared memory and in device memory, for packed and other letters, and dissimilar pairs, which
     * tables solve after wavefronts have given up.
     */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "wavefront"})
    void nearPairs(String strategy) {
        Random random = new Random(2021);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 9_000; i++) {
            int length = i % 1_500 == 0 ? 40_000 : i % 100 == 0 ? 8_000 : i % 10 == 0 ? 1_500 : 150;
            String alphabet = i % 7 == 0 ? "ACGTNacgt" : "ACGT";
            StringBuilder a = new StringBuilder(text(random, alphabet, random.nextInt(length) + 1));
            StringBuilder b = new StringBuilder(i % 300 == 1 ? text(random, alphabet, length) : a);
            for (int edits = random.nextInt(2 + Math.min(150, length / 20)); edits > 0; edits--) {
                int at = random.nextInt(b.length() + 1);
                int to = Math.min(b.length(), at + random.nextInt(edits == 1 ? 60 : 3));
                b.replace(at, to, text(random, alphabet, random.nextInt(3)));
            }
            rows.add(RowFactory.create(
                    a.toString(),
                    b.toString(),
                    MODES[random.nextInt(20) == 0 ? 3 : 0],
                    SCORINGS[random.nextInt(4)],
                    random.nextInt(200) - 50L));
        }
        Dataset<Row> pairs = rows(PAIRS, 1, rows);
        withConf("spark.bellman.alignment.strategy", strategy, () -> {
            assertSameAsOnCpu(pairs, "alignment(a, b, mode, scoring)");
            assertSameAsOnCpu(pairs, "alignment(a, b, 'global', 'match 2 mismatch -3 open 5 extend 2', least)");
            assertSameAsOnCpu(pairs, "alignment_score(a, b, mode, scoring, least)");
        });
        withConf("spark.bellman.gpuMemory", "100k", () -> {
            assertSameAsOnCpu(pairs.limit(2_000), "alignment(a, b, mode, scoring)");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=3,type=GPU", "num_ooms=2,skip=1,type=GPU"})
    void outOfMemory(String injection) {
        Dataset<Row> pairs = pairs(2_000, 1, LENGTHS);
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            assertSameAsOnCpu(pairs, "alignment(a, b, mode, scoring)");
        });
    }

    /** Tables that do not fit on the GPU are left to the CPU. */
    @Test
    void littleMemory() {
        withConf("spark.bellman.gpuMemory", "100k", () -> {
            assertSameAsOnCpu(pairs(300, 1, 100, 200, 300, 600), "alignment(a, b, mode, scoring)");
        });
    }

    @Test
    void rejections() {
        Dataset<Row> pairs = rows(
                PAIRS,
                1,
                List.of(
                        RowFactory.create("ACG", "ACG", "global", "blosum62 gap 4", 0L),
                        RowFactory.create("AJG", "ACG", "global", "blosum62 gap 4", 0L),
                        RowFactory.create("ACG", "ACG", "globl", "blosum62 gap 4", 0L),
                        RowFactory.create("ACG", "ACG", "global", "blosum61 gap 4", 0L)));
        assertSameAsOnCpu(pairs, "try_alignment_score(a, b, mode, scoring)");
        assertSameAsOnCpu(pairs, "try_alignment(a, b, mode, scoring)");
        assertThat(failure(pairs, "alignment(a, b, mode, scoring)"))
                .contains("character 2 of a is 'J', which is not in BLOSUM62");
        assertThat(failure(pairs.where("a = b"), "alignment_score(a, b, mode, scoring)"))
                .contains("the mode is 'globl'");
    }

    @Test
    void noRows() {
        assertThat(rows(PAIRS, 2, List.of())
                        .selectExpr("alignment(a, b, mode, scoring)")
                        .collectAsList())
                .isEmpty();
    }

    private static final StructType SCORES = new StructType()
            .add("score", DataTypes.LongType)
            .add("scoring", DataTypes.StringType)
            .add("m", DataTypes.LongType)
            .add("n", DataTypes.LongType);

    /**
     * Tests all scorings with statistics, and some without, and E-values that are huge, ordinary or subnormal.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "try_bit_score(score, scoring)",
                "try_e_value(score, m, n, scoring)",
                "try_e_value(score, 350, n, 'blosum62 open 12 extend 1')"
            })
    void statisticsAreSameAsOnCpu(String expression) {
        Random random = new Random(1990);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            ScoreStatistics its = ScoreStatistics.ALL.get(random.nextInt(ScoreStatistics.ALL.size()));
            rows.add(RowFactory.create(
                    i % 101 == 0 ? null : random.nextInt(100) == 0 ? random.nextLong() : (long) random.nextInt(4_500),
                    i % 103 == 0
                            ? null
                            : "%s open %d extend %d"
                                    .formatted(
                                            its.matrix(),
                                            its.gap().open() + i % 107 / 106,
                                            its.gap().extend()),
                    i % 109 == 0 ? null : random.nextInt(100) == 0 ? -1L : (long) random.nextInt(1_000),
                    i % 113 == 0 ? null : random.nextLong() >>> 20));
        }
        assertSameAsOnCpu(rows(SCORES, 2, rows), expression);
    }
}
