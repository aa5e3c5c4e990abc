package dev.bellman.align;

import dev.bellman.GpuTest;
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

/**
 * Compares the edit distance, edit scripts, longest common subsequences and shortest common supersequences with the
 * CPU, in batches that contain every class of {@link PairClass}.
 */
class PairFunctionsGpuTest extends GpuTest {
    private static final StructType PAIRS =
            new StructType().add("a", DataTypes.StringType).add("b", DataTypes.StringType);

    private static final int[] LENGTHS = {
        0, 1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 97, 127, 128, 129, 150, 161, 193, 225, 255, 256, 257, 300, 321, 385,
        513, 700, 1023, 1024, 1025
    };

    private static final int[] LONG_LENGTHS = {
        1_500, 2_048, 2_049, 3_000, 4_095, 4_096, 4_097, 6_000, 8_193, 10_241, 12_288, 12_289
    };

    private static final String PRINTABLE =
            " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`" + TestPairs.LETTERS + "{|}~";

    private static final List<String> ALPHABETS =
            List.of(TestPairs.DNA, "acgt", "ACGTN", PRINTABLE, TestPairs.MIXED, "aé");

    private static Dataset<Row> rows(List<Pair> pairs, int partitions) {
        List<Row> rows = new ArrayList<>();
        for (Pair pair : pairs) {
            rows.add(RowFactory.create(pair.a(), pair.b()));
        }
        return rows(PAIRS, partitions, rows);
    }

    /**
     * Returns pairs over each alphabet, in random order: strings of each combination of lengths, or a string and a
     * mutated copy, and longer strings. Some strings are null.
     */
    private static Dataset<Row> everySize() {
        Random random = new Random(1965);
        List<Pair> pairs = new ArrayList<>();
        for (String alphabet : ALPHABETS) {
            for (int m : LENGTHS) {
                for (int n : LENGTHS) {
                    String a = TestPairs.random(random, alphabet, m);
                    String b = random.nextInt(3) == 0
                            ? TestPairs.mutate(random, alphabet, a, 0.05)
                            : TestPairs.random(random, alphabet, n);
                    pairs.add(new Pair(random.nextInt(30) == 0 ? null : a, random.nextInt(30) == 0 ? null : b));
                }
            }
        }
        for (Pair pair : TestPairs.longer(1974)) {
            pairs.add(pair);
            pairs.add(new Pair(pair.b(), pair.a()));
        }
        Collections.shuffle(pairs, random);
        return rows(pairs, 2);
    }

    private static Dataset<Row> longPairs() {
        Random random = new Random(1999);
        List<Pair> pairs = new ArrayList<>();
        for (String alphabet : List.of(TestPairs.DNA, PRINTABLE, TestPairs.MIXED)) {
            for (int length : LONG_LENGTHS) {
                String a = TestPairs.random(random, alphabet, length);
                pairs.add(new Pair(a, TestPairs.mutate(random, alphabet, a, 0.05)));
                pairs.add(new Pair(TestPairs.random(random, alphabet, length + random.nextInt(2_000)), a));
                pairs.add(new Pair(a, TestPairs.random(random, alphabet, 1 + random.nextInt(100))));
            }
        }
        for (String alphabet : List.of(TestPairs.DNA, TestPairs.LETTERS)) {
            String a = TestPairs.random(random, alphabet, 60_000);
            pairs.add(new Pair(a, a));
            pairs.add(new Pair(a, TestPairs.mutate(random, alphabet, a, 0.1)));
            pairs.add(new Pair(TestPairs.random(random, alphabet, 50_000), a));
            pairs.add(new Pair(a, TestPairs.random(random, alphabet, 12_289)));
        }
        pairs.add(new Pair("a".repeat(20_000), "b".repeat(30_001)));
        return rows(pairs, 1);
    }

    /** Returns pairs with lengths around the sizes of the tiles, windows and stripes that long pairs use. */
    private static Dataset<Row> aroundTiles(String alphabet) {
        Random random = new Random(2006);
        List<Pair> pairs = new ArrayList<>();
        for (int m : new int[] {513, 768, 1_023, 1_024, 1_025, 1_279, 1_281, 2_047, 2_049, 4_100}) {
            for (int n : new int[] {1, 127, 128, 129, 383, 385, 511, 513, 1_024, 1_025, 2_500}) {
                String a = TestPairs.random(random, alphabet, m);
                pairs.add(new Pair(
                        a,
                        random.nextInt(4) == 0
                                ? TestPairs.mutate(random, alphabet, a, 0.1)
                                : TestPairs.random(random, alphabet, n)));
            }
        }
        return rows(pairs, 1);
    }

    /** Returns enough pairs for their stripes to fill the GPU. */
    private static Dataset<Row> manyLongPairs() {
        Random random = new Random(2004);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 800; i++) {
            String a = TestPairs.random(random, TestPairs.LETTERS, 12_289 + i);
            pairs.add(new Pair(
                    a,
                    i % 2 == 0
                            ? TestPairs.random(random, TestPairs.LETTERS, 12_300 + random.nextInt(500))
                            : TestPairs.mutate(random, TestPairs.LETTERS, a, 0.1)));
        }
        return rows(pairs, 1);
    }

    /** Returns enough pairs of nucleotides for half as many lanes per pair as usual. */
    private static Dataset<Row> manyPairsOfNucleotides(int length) {
        Random random = new Random(1983);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 25_000_000 / length; i++) {
            String a = TestPairs.random(random, TestPairs.DNA, length - random.nextInt(31));
            pairs.add(new Pair(
                    a,
                    i % 2 == 0
                            ? TestPairs.random(random, TestPairs.DNA, length + random.nextInt(100))
                            : TestPairs.mutate(random, TestPairs.DNA, a, 0.1)));
        }
        return rows(pairs, 1);
    }

    private static Dataset<Row> veryLongPairs() {
        Random random = new Random(2013);
        List<Pair> pairs = new ArrayList<>();
        pairs.add(new Pair(
                TestPairs.random(random, TestPairs.LETTERS, 100_000),
                TestPairs.random(random, TestPairs.LETTERS, 100_000)));
        String genome = TestPairs.random(random, TestPairs.DNA, 1_000_000);
        pairs.add(new Pair(genome, TestPairs.mutate(random, TestPairs.DNA, genome, 0.01)));
        String text = TestPairs.random(random, TestPairs.LETTERS, 1_000_000);
        pairs.add(new Pair(text, TestPairs.random(random, TestPairs.LETTERS, 10)));
        pairs.add(new Pair(TestPairs.random(random, TestPairs.LETTERS, 10), text));
        pairs.add(new Pair(text, text));
        pairs.add(new Pair("a".repeat(100_000), "b".repeat(90_000)));
        String mixed = TestPairs.random(random, TestPairs.MIXED, 40_000);
        pairs.add(new Pair(mixed, TestPairs.mutate(random, TestPairs.MIXED, mixed, 0.2)));
        pairs.add(new Pair(mixed, "é"));
        pairs.add(new Pair("é", mixed));
        return rows(pairs, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(a, b)",
                "edit_distance(a, b, 20)",
                "edit_cigar(a, b)",
                "lcs_length(a, b)",
                "lcs(a, b)",
                "scs_length(a, b)",
                "scs(a, b)",
                "edit_cigar(a, 'GATTACA')",
                "scs('日本語', b)"
            })
    void everySize(String call) {
        assertSameAsOnCpu(everySize(), call);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(a, b)",
                "edit_cigar(a, b)",
                "lcs_length(a, b)",
                "lcs(a, b)",
                "scs_length(a, b)",
                "scs(a, b)"
            })
    void longPairs(String call) {
        assertSameAsOnCpu(longPairs(), call);
        assertSameAsOnCpu(veryLongPairs(), call);
    }

    @ParameterizedTest
    @ValueSource(strings = {"edit_distance(a, b)", "edit_cigar(a, b)", "lcs_length(a, b)", "lcs(a, b)", "scs(a, b)"})
    void lengthsAroundTiles(String call) {
        for (String alphabet : List.of(TestPairs.DNA, "ab", TestPairs.LETTERS, TestPairs.MIXED)) {
            assertSameAsOnCpu(aroundTiles(alphabet), call);
        }
    }

    /** Tests the recursion on tiles for strings of many lengths, including tables of more than one large tile. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(a, b)",
                "edit_distance(a, b, 20)",
                "edit_cigar(a, b)",
                "lcs_length(a, b)",
                "lcs(a, b)",
                "edit_cigar(a, 'GATTACA')"
            })
    void byRecursion(String call) {
        Random random = new Random(2019);
        List<Pair> pairs = new ArrayList<>();
        for (String alphabet : List.of(TestPairs.DNA, TestPairs.MIXED)) {
            String a = TestPairs.random(random, alphabet, 5_000);
            pairs.add(new Pair(a, TestPairs.mutate(random, alphabet, a, 0.1)));
            pairs.add(new Pair(a, TestPairs.random(random, alphabet, 2_300)));
            pairs.add(new Pair("é", a));
        }
        String problem = call.startsWith("lcs") ? "lcs" : "edit_distance";
        withConf("spark.bellman." + problem + ".strategy", "r-way", () -> {
            assertSameAsOnCpu(everySize(), call);
            assertSameAsOnCpu(aroundTiles("ab"), call);
            assertSameAsOnCpu(rows(pairs, 1), call);
        });
    }

    /** Tests tables that the recursion cannot store on the GPU: the CPU finds the path, or rejects the row. */
    @Test
    void tooLargeForRecursion() {
        String text = "ab".repeat(5_000);
        withConf("spark.bellman.edit_distance.strategy", "r-way", () -> {
            assertSameAsOnCpu(rows(List.of(new Pair("x" + text, text), new Pair("ab", "b")), 1), "edit_cigar(a, b)");
            Dataset<Row> tooLarge = rows(List.of(new Pair(text, "c".repeat(9_000)), new Pair("ab", "b")), 1);
            assertSameFailure(tooLarge, "edit_cigar(a, b)").contains("[BELLMAN_LIMIT]");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"edit_distance(a, b)", "lcs_length(a, b)"})
    void manyLongPairs(String call) {
        assertSameAsOnCpu(manyLongPairs(), call);
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 640, 768, 1_024, 2_048, 8_192})
    void manyNucleotides(int length) {
        Dataset<Row> pairs = manyPairsOfNucleotides(length);
        assertSameAsOnCpu(pairs, "edit_distance(a, b)");
        assertSameAsOnCpu(pairs, "lcs_length(a, b)");
    }

    /** Compares a checksum of the results of many rows. */
    @ParameterizedTest
    @ValueSource(strings = {"edit_distance(a, b)", "edit_cigar(a, b)", "lcs_length(a, b)", "lcs(a, b)", "scs(a, b)"})
    void millionsOfRows(String call) {
        Dataset<Row> pairs = spark().range(0, 5_000_000, 1, 4)
                .selectExpr("substring(md5(cast(id as string)), 1, 20) a", "md5(cast(id + 1 as string)) b");
        assertSameAsOnCpu(function(call), pairs, "sum(cast(hash(" + call + ") as bigint))");
    }

    @ParameterizedTest
    @ValueSource(strings = {"edit_cigar(a, b)", "lcs_length(a, b)", "lcs(a, b)", "scs(a, b)"})
    void nothingButNullsAndEmptyStrings(String call) {
        Row nulls = RowFactory.create(null, null);
        assertSameAsOnCpu(rows(PAIRS, 1, Arrays.asList(nulls, nulls)), call);
        assertSameAsOnCpu(rows(PAIRS, 1, List.of(RowFactory.create("", ""))), call);
        assertSameAsOnCpu(rows(PAIRS, 1, Arrays.asList(nulls, RowFactory.create("", "日本"), nulls)), call);
        assertSameAsOnCpu(rows(PAIRS, 1, List.of()), call);
    }

    /** Tests bytes that are not valid UTF-8, in short and long strings, also mixed with valid strings. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(a, b)",
                "edit_distance(a, b, 5)",
                "edit_cigar(a, b)",
                "lcs_length(a, b)",
                "lcs(a, b)",
                "scs_length(a, b)",
                "scs(a, b)"
            })
    void malformedText(String call) {
        Random random = new Random(1993);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            byte[] a = TestPairs.malformed(random, i % 10_000 == 0 ? 30_000 : i % 100 == 0 ? 1_000 : 40);
            byte[] b = i % 2 == 0 ? TestPairs.malformed(random, 40) : mutated(random, a);
            rows.add(RowFactory.create(a, b));
        }
        Dataset<Row> pairs = texts(BYTES, rows);
        // Spark decodes the strings of a Row, so different malformed bytes would look the same
        String result = call.startsWith("lcs(") || call.startsWith("scs(") ? "hex(" + call + ")" : call;
        assertSameAsOnCpu(function(call), pairs, result);
    }

    /** Tests every pair of strings of up to two bytes, which are examples of all classes of bytes in UTF-8. */
    @Test
    void everyShortText() {
        List<Integer> classes =
                List.of(0x00, 0x61, 0x80, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff);
        List<byte[]> texts = new ArrayList<>(List.of(new byte[0]));
        for (int first : classes) {
            texts.add(new byte[] {(byte) first});
            for (int second : classes) {
                texts.add(new byte[] {(byte) first, (byte) second});
            }
        }
        List<Row> rows = new ArrayList<>();
        for (byte[] a : texts) {
            for (byte[] b : texts) {
                rows.add(RowFactory.create(a, b));
            }
        }
        Dataset<Row> pairs = texts(BYTES, rows);
        assertSameAsOnCpu(pairs, "edit_distance(a, b)");
        assertSameAsOnCpu(pairs, "edit_cigar(a, b)");
        assertSameAsOnCpu("scs", pairs, "hex(scs(a, b))");
    }

    private static byte[] mutated(Random random, byte[] bytes) {
        byte[] mutated = bytes.clone();
        for (int i = 0; i < mutated.length; i++) {
            if (random.nextInt(8) == 0) {
                mutated[i] = (byte) random.nextInt(256);
            }
        }
        return Arrays.copyOf(mutated, mutated.length - (mutated.length == 0 ? 0 : random.nextInt(2)));
    }

    /** RAPIDS tries again if GPU memory is exhausted. */
    @ParameterizedTest
    @ValueSource(strings = {"num_ooms=1,skip=0,type=GPU", "num_ooms=1,skip=4,type=GPU", "num_ooms=2,skip=9,type=GPU"})
    void outOfMemory(String injection) {
        Dataset<Row> pairs = rows(TestPairs.longer(7), 1);
        withConf("spark.rapids.sql.test.injectRetryOOM", injection, () -> {
            assertSameAsOnCpu(pairs, "edit_cigar(a, b)");
            assertSameAsOnCpu(pairs, "lcs_length(a, b)");
        });
    }

    @Test
    void oneRow() {
        Dataset<Row> pair = rows(List.of(new Pair("kitten", "sitting")), 1);
        for (String call : List.of("edit_distance(a, b)", "edit_cigar(a, b)", "lcs(a, b)", "scs(a, b)")) {
            assertSameAsOnCpu(pair, call);
        }
    }
}
