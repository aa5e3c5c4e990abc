package dev.bellman.align;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import dev.bellman.Thorough;
import dev.bellman.align.distance.EditDistance;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests the functions of pairs in SQL. */
class PairFunctionsTest extends SparkTest {
    private static final String ALPHABET = TestPairs.MIXED + " ACGTéüñçøåæ日本語漢字한국어Ωλж\u0301\ud83c\udde9\ud83c\uddea";

    /**
     * Compares {@code edit_distance} with {@code levenshtein} on similar and dissimilar strings, with and without a
     * limit. The strings contain ASCII, accented and CJK characters, and characters beyond the basic multilingual
     * plane.
     */
    @Test
    void editDistanceIsSparksLevenshtein() {
        Random random = new Random(21);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < Thorough.rounds(25_000, 100_000); i++) {
            String alphabet = i % 4 == 0 ? TestPairs.DNA : ALPHABET;
            String a = TestPairs.random(random, alphabet, random.nextInt(i % 100 == 0 ? 200 : 20));
            String b = i % 3 == 0
                    ? TestPairs.random(random, alphabet, random.nextInt(20))
                    : TestPairs.mutate(random, alphabet, a, random.nextDouble() * 0.5);
            rows.add(RowFactory.create(a, b, random.nextInt(30) - 3));
        }
        Dataset<Row> pairs = spark.createDataFrame(
                rows,
                new StructType()
                        .add("a", DataTypes.StringType)
                        .add("b", DataTypes.StringType)
                        .add("max", DataTypes.IntegerType));
        String differs = Stream.of("", ", -1", ", 0", ", 1", ", 5", ", 64", ", 2147483647")
                .map(max -> "edit_distance(a, b%s) IS DISTINCT FROM levenshtein(a, b%s)".formatted(max, max))
                .collect(Collectors.joining(" OR "));
        assertThat(pairs.where(differs).limit(5).collectAsList()).isEmpty();
        assertThat(rows).anySatisfy(row -> {
            int distance = EditDistance.distance(row.getString(0), row.getString(1), EditDistance.Strategy.SERIAL);
            assertThat(row.getInt(2)).isEqualTo(distance - 1);
        });
        // Spark's limit must be a literal, but Bellman's may be a column
        assertThat(pairs.where("edit_distance(a, b, max) IS DISTINCT FROM "
                                + "if(levenshtein(a, b) <= max, levenshtein(a, b), -1)")
                        .limit(5)
                        .collectAsList())
                .isEmpty();
    }

    /**
     * Compares strings such as Latin-1 text that is read as UTF-8. Letters are appended so that no character is
     * truncated, because Spark would compare a truncated character with what follows in memory.
     */
    @Test
    void editDistanceOfMalformedTextIsSparksLevenshtein() {
        Random random = new Random(22);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < Thorough.rounds(10_000, 50_000); i++) {
            rows.add(RowFactory.create(TestPairs.malformed(random, 30), TestPairs.malformed(random, 30)));
        }
        Dataset<Row> pairs = spark.createDataFrame(
                        rows, new StructType().add("a", DataTypes.BinaryType).add("b", DataTypes.BinaryType))
                .selectExpr("cast(concat(a, X'616161') as string) a", "cast(concat(b, X'616161') as string) b");
        assertThat(pairs.where("edit_distance(a, b) IS DISTINCT FROM levenshtein(a, b)"
                                + " OR edit_distance(a, b, 6) IS DISTINCT FROM levenshtein(a, b, 6)")
                        .limit(5)
                        .collectAsList())
                .isEmpty();
        assertThat(first("edit_distance(cast(X'E4E4' as string), cast(X'F6FC' as string))"))
                .isEqualTo(first("levenshtein(cast(X'E4E4' as string), cast(X'F6FC' as string))"))
                .isEqualTo(2);
    }

    /** Results contain the bytes of the arguments unchanged, even if they are not valid UTF-8. */
    @Test
    void bytesOfMalformedText() {
        String pair = "(cast(X'61E46262FF' as string), cast(X'E46262FF80' as string))";
        assertThat(first("edit_cigar" + pair)).isEqualTo("1I2=1D");
        assertThat(first("lcs_length" + pair)).isEqualTo(2);
        assertThat(first("hex(lcs" + pair + ")")).isEqualTo("E46262FF");
        assertThat(first("scs_length" + pair)).isEqualTo(4);
        assertThat(first("hex(scs" + pair + ")")).isEqualTo("61E46262FF80");
        assertThat(first("hex(scs_all(array" + pair + "))")).isEqualTo("61E46262FF80");
        assertThat(first("hex(lcs(a, b)) FROM (SELECT cast(unhex('F16F') as string) a, cast(unhex('4DF16F') "
                        + "as string) b)"))
                .isEqualTo("F16F");
    }

    @Test
    void nullsAndEmptyStrings() {
        assertThat(first("edit_distance(NULL, 'a')")).isNull();
        assertThat(first("edit_distance('a', NULL)")).isNull();
        assertThat(first("edit_distance('a', 'b', NULL)")).isNull();
        for (String function : List.of("edit_cigar", "lcs_length", "lcs", "scs_length", "scs")) {
            assertThat(first(function + "(NULL, 'a')")).as(function).isNull();
            assertThat(first(function + "('a', NULL)")).as(function).isNull();
        }
        assertThat(first("edit_distance('', '')")).isEqualTo(0);
        assertThat(first("edit_cigar('', '')")).isEqualTo("");
        assertThat(first("lcs('', 'a')")).isEqualTo("");
        assertThat(first("scs('', 'a')")).isEqualTo("a");
        assertThat(first("lcs_length('', 'a')")).isEqualTo(0);
        assertThat(first("scs_length('', 'a')")).isEqualTo(1);
    }

    @Test
    void supersequenceOfAll() {
        assertThat(first("scs_all(array('kitten', 'sitting'))")).isEqualTo(first("scs('kitten', 'sitting')"));
        assertThat(first("scs_all(collect_list(text)) FROM VALUES ('abc'), ('bcd'), ('cde') AS t(text)"))
                .isEqualTo("abcde");
        assertThat(first("scs_all(NULL)")).isNull();
        assertThat(first("scs_all(array())")).isEqualTo("");
        assertThat(first("try_scs_all(array('a', NULL))")).isNull();
    }

    /** The session determines the strategy; the serial strategy has a limit. */
    @Test
    void strategies() {
        // the failures are expected, so do not log their stack traces
        spark.sparkContext().setLogLevel("OFF");
        String pair = "(repeat('a', 9000), repeat('b', 9000))";
        for (String problem : List.of("edit_distance", "lcs", "scs")) {
            String function = problem.equals("edit_distance") ? "edit_cigar" : problem;
            Object expected = first(function + pair);
            spark.conf().set("spark.bellman." + problem + ".strategy", "serial");
            try {
                assertThatThrownBy(() -> first(function + pair)).as(function).hasStackTraceContaining("BELLMAN_LIMIT");
                spark.conf().set("spark.bellman." + problem + ".strategy", "bit-parallel");
                assertThat(first(function + pair)).isEqualTo(expected);
            } finally {
                spark.conf().unset("spark.bellman." + problem + ".strategy");
            }
        }
        spark.sparkContext().setLogLevel("ERROR");
    }

    /**
     * The setting's key may contain the name of any function of the problem; the key with the problem's own name takes
     * precedence.
     */
    @Test
    void strategyByTheNameOfAFunction() {
        spark.sparkContext().setLogLevel("OFF");
        String call = "edit_cigar(repeat('a', 9000), repeat('b', 9000))";
        spark.conf().set("spark.bellman.edit_cigar.strategy", "serial");
        try {
            assertThatThrownBy(() -> first(call)).hasStackTraceContaining("BELLMAN_LIMIT");
            spark.conf().set("spark.bellman.edit_distance.strategy", "auto");
            assertThat(first(call)).isEqualTo("9000X");
        } finally {
            spark.conf().unset("spark.bellman.edit_cigar.strategy");
            spark.conf().unset("spark.bellman.edit_distance.strategy");
        }
        spark.sparkContext().setLogLevel("ERROR");
    }

    private static Object first(String expression) {
        return spark.sql("SELECT " + expression).first().get(0);
    }
}
