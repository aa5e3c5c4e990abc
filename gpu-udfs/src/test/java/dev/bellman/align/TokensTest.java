package dev.bellman.align;

import static org.apache.spark.sql.functions.expr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.Golden;
import dev.bellman.SparkTest;
import dev.bellman.TextbookAnswers;
import dev.bellman.Thorough;
import dev.bellman.columns.Arguments;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.function.Catalogue;
import dev.bellman.proof.Values;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls functions for pairs of strings with arrays of tokens. */
class TokensTest extends SparkTest {
    static List<DataType> types() {
        return Tokens.TYPES;
    }

    @ParameterizedTest
    @ValueSource(strings = {"edit_distance", "osa_distance", "edit_cigar", "lcs_length", "lcs"})
    void equalTheTextbook(String name) {
        BellmanFunction<?> function = Catalogue.named(name).orElseThrow();
        TextbookAnswers.compare(function, 50, Thorough.rounds(60, 1_000), 130);
    }

    /** Two tokens have the same number if and only if they are equal. */
    @ParameterizedTest
    @MethodSource("types")
    void numbers(DataType type) {
        SplittableRandom random = new SplittableRandom(50);
        Object[][] tokens = new Object[2][2_000];
        for (Object[] side : tokens) {
            for (int i = 0; i < side.length; i++) {
                int draw = random.nextInt(1_600) - 800;
                side[i] = draw == 7 ? null : token(draw, type);
            }
        }
        Tokens.Pair pair =
                Tokens.of(new Arguments("f", Values.arrayOf(tokens[0]), Values.arrayOf(tokens[1])), type, "a", "b");

        Map<Object, Integer> seen = new HashMap<>();
        IntStream.range(0, tokens[0].length).forEach(i -> {
            assertThat(seen.merge(tokens[0][i], pair.a()[i], (a, b) -> a)).isEqualTo(pair.a()[i]);
            assertThat(seen.merge(tokens[1][i], pair.b()[i], (a, b) -> a)).isEqualTo(pair.b()[i]);
        });
        assertThat(seen.values()).doesNotHaveDuplicates();
        assertThat(pair.cells()).isEqualTo(4_000_000);
    }

    /** Compares distances with rapidfuzz's on lists of words. */
    @Test
    void golden() {
        List<Map<String, String>> rows = Golden.allRows("tokens.gold");
        StructType columns = new StructType();
        for (String name : rows.get(0).keySet()) {
            columns = columns.add(name, DataTypes.StringType);
        }
        spark.createDataFrame(
                        rows.stream()
                                .map(row -> RowFactory.create(row.values().toArray()))
                                .toList(),
                        columns)
                .withColumn("a", words("a"))
                .withColumn("b", words("b"))
                .createOrReplaceTempView("words");

        assertThat(rows).hasSizeGreaterThanOrEqualTo(300);
        for (String name : List.of("edit_distance", "osa_distance", "lcs_length")) {
            assertThat(spark.sql("SELECT * FROM words WHERE %1$s(a, b) != int(words.%1$s)".formatted(name))
                            .collectAsList())
                    .as(name)
                    .isEmpty();
        }
    }

    private static Column words(String text) {
        return expr("regexp_extract_all(%s, '\\\\S+', 0)".formatted(text));
    }

    private static Object token(int draw, DataType type) {
        if (type.equals(DataTypes.StringType)) {
            return UTF8String.fromString("word" + draw);
        }
        return type.equals(DataTypes.LongType) ? (Object) ((long) draw << 40) : (Object) (draw << 20);
    }

    /** Evaluates expressions in one query. */
    private static List<Object> values(String... expressions) {
        Row row = spark.sql("SELECT " + String.join(", ", expressions)).first();
        return IntStream.range(0, row.length()).mapToObj(row::get).toList();
    }

    /** A NULL element is a token, but if an array is NULL, the result is NULL. */
    @Test
    void nulls() {
        assertThat(values(
                        "edit_distance(array('a', NULL), array('a', NULL))",
                        "edit_distance(array('', NULL), array('a', ''))",
                        "edit_distance(array(0, NULL), array(NULL, 0))",
                        "to_json(array(lcs(array(0L, NULL, 1L), array(NULL, 5L, 1L))))",
                        "lcs(array('a'), CAST(NULL AS ARRAY<STRING>))",
                        "edit_distance(array('a'), array('b'), NULL)"))
                .containsExactly(0, 2, 2, "[[null,1]]", null, null);
    }

    /** If no signature has the types of both arrays, both are cast to a type that preserves all values. */
    @Test
    void otherTypes() {
        assertThat(values(
                        "typeof(lcs(array(1Y), array(1S)))",
                        "typeof(lcs(array(1), array(1L)))",
                        "typeof(lcs(array(1L), array('1')))",
                        "lcs_length(array(4294967296L, 7L), array(0, 7))",
                        "edit_distance(array(1, 2), array(2, 3), 1)",
                        "osa_distance(array(1, 2), array(2, 1), max => 1)",
                        "edit_cigar(split('the cat sat', ' '), split('the sat on', ' '))",
                        "edit_distance(array(), array('a'))"))
                .containsExactly("array<int>", "array<bigint>", "array<string>", 1, -1, 1, "1=2X", 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "edit_distance(array(1.5D), array(2.5D)) | the argument a is of type ARRAY<DOUBLE>; it must be STRING "
                        + "or ARRAY<INT> or ARRAY<BIGINT> or ARRAY<STRING>. To use the entries as strings, write "
                        + "CAST(... AS ARRAY<STRING>)",
                "edit_distance(array(1), array(2.5)) | the argument b is of type ARRAY<DECIMAL(2,1)>; it must be",
                "osa_distance(array(true), array(false), 1) | the argument a is of type ARRAY<BOOLEAN>; it must be",
                "lcs(array(DATE'2024-01-01'), array('2024-01-01')) | the argument a is of type ARRAY<DATE>; it must be",
                "lcs_length(array('a'), array(float(1))) | the argument b is of type ARRAY<FLOAT>; it must be",
                "edit_cigar(array(X'61'), array(X'62')) | the argument a is of type ARRAY<BINARY>; it must be",
                "consensus(array(1.5), 'match 2 mismatch -3 open 5') | the argument sequences is of type "
                        + "ARRAY<DECIMAL(2,1)>; it must be ARRAY<STRING> or STRING. To use",
                "edit_distance('a', array('a'), max => 1) | edit_distance: the arguments are of types (STRING, "
                        + "ARRAY<STRING>, INT); they must be (STRING, STRING, INT) or (ARRAY<INT>, ARRAY<INT>, INT) "
                        + "or (ARRAY<BIGINT>, ARRAY<BIGINT>, INT) or (ARRAY<STRING>, ARRAY<STRING>, INT)",
                "word_errors('the cat', 'a cat') | the argument reference is of type STRING; it must be ARRAY<INT> "
                        + "or ARRAY<BIGINT> or ARRAY<STRING>. To split a string into words, write "
                        + "regexp_extract_all(..., '\\\\S+', 0)",
                "lcs(array(1), 'a') | lcs: the arguments are of types (ARRAY<INT>, STRING); they must be (STRING, STRING"
            })
    void wrongTypes(String call, String message) {
        assertThatThrownBy(() -> value(call)).hasMessageContaining(message);
    }

    @Test
    void negativeLimits() {
        assertThat(values(
                        "edit_distance('a', 'a', -1)",
                        "edit_distance('', '', -1)",
                        "edit_distance(array(1), array(1), -1)",
                        "edit_distance(array('a'), array('a'), -2147483648)",
                        "osa_distance('ab', 'ab', -2147483648)",
                        "osa_distance(array(1L), array(1L), -1)",
                        "damerau_levenshtein('a', 'a', -1)",
                        "edit_distance_infix('a', 'a', -1)",
                        "edit_distance_prefix('', 'a', -1)"))
                .containsOnly(-1);
    }

    /** Tests arguments whose types are known late or not at all: the variables of lambda functions, and NULL. */
    @Test
    void inLambdas() {
        assertThat(value("to_json(transform(array('a', 'b'), x -> edit_distance(x, 'b')))"))
                .isEqualTo("[1,0]");
        assertThat(value("to_json(transform(array(array('a'), array('b')), x -> edit_distance(x, array('b'))))"))
                .isEqualTo("[1,0]");
        assertThat(value("edit_distance(NULL, NULL)")).isNull();
    }

    /** A join on tokens is not planned like a join on strings. */
    @Test
    void inJoins() {
        spark.sql("SELECT id, array(id, id % 3, id % 5) AS items FROM range(0, 60, 1, 1)")
                .createOrReplaceTempView("baskets");

        assertThat(spark.sql("SELECT count(*) FROM baskets l JOIN baskets r ON edit_distance(l.items, r.items) <= 1")
                        .first()
                        .getLong(0))
                .isEqualTo(spark.sql("SELECT count(*) FROM baskets l CROSS JOIN baskets r"
                                + " WHERE cast(edit_distance(l.items, r.items) AS STRING) IN ('0', '1')")
                        .first()
                        .getLong(0))
                .isGreaterThan(60);
        assertThat(spark.sql("SELECT lcs(items, array(1L, 2L)) AS common, count(*) FROM baskets GROUP BY 1")
                        .count())
                .isBetween(2L, 4L);
    }
}
