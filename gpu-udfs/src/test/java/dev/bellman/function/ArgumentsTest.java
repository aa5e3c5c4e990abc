package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.SparkTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how a call in SQL is matched with the signatures of a function. */
class ArgumentsTest extends SparkTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "edit_distance(b => 'sitting', a => 'kitten') | 3",
                "edit_distance('kitten', b => 'sitting') | 3",
                "edit_distance('kitten', max => 2, b => 'sitting') | -1",
                "edit_distance(B => 'sitting', MAX => 3, A => 'kitten') | 3",
                "s_dp_last(operator => 'sum', length => 8, offsets => array(2, 1), initial => array(1, 1)) | 21",
                "try_matrix_chain_cost(dims => array(1, 0)) | NULL",
                "lcs(array('a'), CAST(array('A' COLLATE UTF8_LCASE, 'a') AS ARRAY<STRING>)) | [a]",
                // the last argument cannot be a BOOLEAN, although an overload has one there
                "viterbi(array(1), array(array(1)), array(array(1)), array(0L, 0L)) | {0.0, [0, 0]}",
                "viterbi(array(0), array(array(0)), array(array(-7)), true) | {-7.0, [0]}",
                "forward(array(0), array(array(0)), array(array(-7)), array(0, 0), logarithms => true) | -14.0",
                // integers are symbols unless the argument is named values
                "try_posterior(array(1), array(array(1)), array(array(0, 1)), array(0L, 1L, 1L)) | NULL",
                "posterior(array(1), array(array(1)), array(array(0, 1)), array(1L, 1L)) | [[1.0], [1.0]]",
                "posterior(array(1), array(array(1)), array(array(0, 1)), array(7.5)) | [[1.0]]",
                "posterior(array(1), array(array(1)), array(array(0, 1)), values => array(7, 8)) | [[1.0], [1.0]]",
                "forward(values => array(0L), emissions => array(array(0, 1)), transitions => array(array(1)), "
                        + "start => array(1)) | -0.9189385332046727",
                "forward(array(0D), array(array(0D)), array(array(0, 1)), array(0D), true) | -0.9189385332046727",
                "hmm_fit(array(array(0L, 1L)), 1, 1).emissions | [[0.5, 0.5]]",
                "hmm_fit(array(array(0.5, 1.5)), 1, 1).emissions | [[1.0, 0.25]]",
                "hmm_fit(array(array(0, 2)), 1, 1, min_variance => 4).emissions | [[1.0, 4.0]]"
            })
    void namedArguments(String call, String expected) {
        assertThat(String.valueOf(value("coalesce(cast(" + call + " as string), 'NULL')")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "edit_distance('a') | edit_distance cannot be called with 1 argument; expected "
                        + "edit_distance(a, b, max = no limit)",
                "edit_distance() | edit_distance cannot be called with 0 arguments; expected",
                "try_s_dp(array(1), 3) | expected try_s_dp(initial, offsets, length, operator)",
                "lcs('a', 'A' COLLATE UTF8_LCASE) | the argument b is of type STRING COLLATE UTF8_LCASE; it must be STRING "
                        + "or ARRAY<INT> or ARRAY<BIGINT> or ARRAY<STRING>. To compare strings regardless of their "
                        + "collation, write ... COLLATE UTF8_BINARY",
                "consensus('A' COLLATE UTF8_LCASE) | the argument sequences is of type STRING COLLATE UTF8_LCASE; it must be "
                        + "ARRAY<STRING> or STRING. To compare strings regardless of their collation, write ... "
                        + "COLLATE UTF8_BINARY",
                "edit_distance(array('a'), array('A' COLLATE UTF8_LCASE)) | the argument b is of type "
                        + "ARRAY<STRING COLLATE UTF8_LCASE>; it must be STRING or ARRAY<INT> or ARRAY<BIGINT> or "
                        + "ARRAY<STRING>. To compare strings regardless of their collation, write CAST(... AS "
                        + "ARRAY<STRING>)",
                "edit_distance('a', 'b', array(1)) | the argument max is of type ARRAY<INT>; it must be INT",
                "edit_distance('a', c => 'b') | edit_distance has no argument c; expected edit_distance(a, b, max",
                "edit_distance('a', max => 1) | edit_distance: the argument b is missing; expected",
                "edit_distance('a', a => 'b') | the argument a is given twice",
                "edit_distance(b => 'a', b => 'b') | the argument b is given twice",
                "edit_distance(a => 'a', 'b') | argument 2 has no name, but follows a named argument",
                "edit_distance('a', x -> x) | the argument b is a lambda function; it must be a value",
                "s_dp('a', array(1), 3, 'min') | s_dp: the argument initial is of type STRING; it must be "
                        + "ARRAY<BIGINT> or ARRAY<DOUBLE>",
                "piecewise_linear(array(1, 2), 'bic') | piecewise_linear: the argument penalty is 'bic'; it must be a "
                        + "number of type DOUBLE",
                "weighted_schedule(array(now()), array(now()), array(1)) | the argument starts is of type "
                        + "ARRAY<TIMESTAMP>; it must be ARRAY<BIGINT> or ARRAY<DOUBLE>. To convert it, write "
                        + "transform(..., t -> unix_micros(t))",
                "maximum_subarray(array(current_date())) | ARRAY<DATE>; it must be ARRAY<BIGINT> or ARRAY<DOUBLE>. To "
                        + "convert it, write transform(..., t -> unix_date(t))",
                "dtw('1,2', array(1)) | or ARRAY<FLOAT>. To convert it, write CAST(split(..., ',') AS ARRAY<DOUBLE>)",
                "dtw(split('1,2', ','), array(1)) | . To convert it, write CAST(... AS ARRAY<DOUBLE>)",
                "dtw(parse_json('[1]'), array(1)) | is of type VARIANT; it must be ARRAY<DOUBLE> or ARRAY<ARRAY<DOUBLE>> "
                        + "or ARRAY<FLOAT>. To convert it, write CAST(... AS ARRAY<DOUBLE>)",
                "lot_sizes(array(1.5), 2, 1) | To drop the fractional parts, write CAST(... AS ARRAY<BIGINT>); to keep "
                        + "them, use a smaller unit, such as cents",
                "lot_sizes(array(1), 2, 0.1) | CAST(... AS BIGINT); to keep them, use a smaller unit, such as cents"
            })
    void wrongArguments(String call, String message) {
        assertThatThrownBy(() -> spark.sql("SELECT\n  " + call)).isInstanceOfSatisfying(AnalysisException.class, e -> {
            assertThat(e.getQueryContext()).singleElement().satisfies(context -> assertThat(context.fragment())
                    .isEqualTo(call));
            assertThat(e.getMessage())
                    .startsWith("[BELLMAN_FUNCTION_ARGUMENTS] ")
                    .contains(message)
                    .contains("line 2 pos 2");
            assertThat(BellmanException.in(e)).hasValueSatisfying(cause -> assertThat(cause.code())
                    .isEqualTo(ErrorCode.BELLMAN_FUNCTION_ARGUMENTS));
        });
    }

    @Test
    void wrongStrategy() {
        spark.conf().set("spark.bellman.edit_distance.strategy", "fast");
        try {
            assertThatThrownBy(() -> value("edit_distance('a', 'b')"))
                    .isInstanceOf(AnalysisException.class)
                    .hasMessageContaining("[BELLMAN_CONFIGURATION] edit_distance has no strategy 'fast'; expected");
        } finally {
            spark.conf().unset("spark.bellman.edit_distance.strategy");
        }
    }

    /** Constants that every row would reject fail while the query is planned. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dtw(x, x, band => -1) | band is -1; it must be at least 0",
                "dtw(x, x, power => 3) | power is 3; it must be 1 or 2",
                "try_dtw(x, x, max => double('NaN')) | max is NaN; it must be a number",
                "try_lcss(x, x, -0.5) | tolerance is -0.5; it must be at least 0",
                "erp(x, x, double('Infinity')) | gap is Infinity; it must be a finite number",
                "soft_dtw(x, x, 0) | gamma is 0.0; it must be positive",
                "alignment(s, s, 'extension', 'match 1 mismatch -1 gap 1', band => -1) | band is -1; it must be",
                "alignment(s, s, 'extension', 'match 1 mismatch -1 gap 1', z_drop => -2) | z_drop is -2; it must be",
                "try_tree_edit_distance(s, s, rename => -1) | a cost is -1; costs must not be negative",
                "change_points(x, -1) | penalty is -1.0; it must be a number from 0 to 1e100",
                "change_points(x, 1, min_size => 0) | min_size is 0; it must be at least 1",
                "change_points_of(x, -1) | count is -1; it must be at least 0",
                "optimal_bins(x, 0) | k is 0; it must be at least 1",
                "hmm_fit(array(array(1)), 0) | states is 0; it must be at least 1",
                "hmm_fit(array(array(1)), 2, iterations => 0) | iterations is 0; it must be at least 1",
                "hmm_fit(array(x), 2, min_variance => 0) | min_variance is 0.0; it must be a variance"
            })
    void constantSettings(String call, String message) {
        assertThatThrownBy(() -> spark.sql("SELECT %s FROM VALUES ('a', array(1D, 2D)) AS t(s, x)".formatted(call)))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("try_%s".formatted(call.substring(0, call.indexOf('('))));
    }

    /** No cast loses a value, in ANSI sessions, in other sessions, and in {@code try_} variants. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "matrix_chain_cost(array(1.5, 2.5, 3.5)) | the argument dims is of type ARRAY<DECIMAL(2,1)>; it "
                        + "must be ARRAY<BIGINT>",
                "matrix_chain_cost(array(1D, 2D)) | the argument dims is of type ARRAY<DOUBLE>; it must be "
                        + "ARRAY<BIGINT>. To drop the fractional parts, write CAST(... AS ARRAY<BIGINT>)",
                "try_matrix_chain_cost(array(1.5, 2.5)) | the argument dims is of type ARRAY<DECIMAL(2,1)>",
                "edit_distance('a', 'b', 1.5) | the argument max is of type DECIMAL(2,1); it must be INT",
                "edit_distance('a', 'b', cast(2 as float)) | the argument max is of type FLOAT",
                "s_dp(array(1.5), array(1.0), 3, 'min') | the argument offsets is of type ARRAY<DECIMAL(2,1)>",
                "matrix_chain_cost(array(99999999999999999999, 2)) | CAST_OVERFLOW",
                "try_matrix_chain_cost(array(99999999999999999999, 2)) | CAST_OVERFLOW",
                "edit_distance('a', 'b', 5000000000) | CAST_OVERFLOW",
                "s_dp(array(1), array(5000000000), 3, 'min') | CAST_OVERFLOW",
                "try_s_dp(array(1), array(1), 5000000000, 'min') | CAST_OVERFLOW",
                "edit_distance('a', 'b', '1.5') | the argument max is '1.5'; it must be a number of type INT",
                "edit_distance('a', 'b', m) FROM VALUES (1), (3000000000) AS t(m) | CAST_OVERFLOW",
                "shortest_paths(2, array((0L, 4294967297L, 2.5D))) | CAST_OVERFLOW"
            })
    void castsThatLoseValues(String call, String message) {
        for (boolean ansi : new boolean[] {true, false}) {
            withAnsi(ansi, () -> assertThatThrownBy(
                            () -> spark.sql("SELECT " + call).collectAsList())
                    .hasStackTraceContaining(message));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "matrix_chain_cost(array(40Y, 2Y, 30Y)) | 2400",
                "matrix_chain_cost(array(cast(40 as decimal(30, 0)), 2, 30)) | 2400",
                "edit_distance('kitten', 'sitting', 3L) | 3",
                "edit_distance('kitten', 'sitting', '3') | 3",
                "edit_distance(123, 124) | 1",
                "optimal_bst_cost(array(1), array(1, 0.5)) | 4.0",
                "s_dp_last(array(1, 1L), array(2L, 1Y), 8S, 'sum') | 21",
                "shortest_paths(2, array((0L, 1L, 2.5D), (1L, 0L, 1D))) | [[0.0, 2.5], [1.0, 0.0]]",
                "shortest_paths(2, array((0L, 1, 2), (1L, 0, 1))) | [[0, 2], [1, 0]]"
            })
    void castsThatKeepValues(String call, String expected) {
        for (boolean ansi : new boolean[] {true, false}) {
            withAnsi(ansi, () -> assertThat(value("cast(" + call + " as string)"))
                    .isEqualTo(expected));
        }
    }

    private static void withAnsi(boolean ansi, Runnable test) {
        // the failures are expected, so do not log their stack traces
        spark.sparkContext().setLogLevel("OFF");
        spark.conf().set("spark.sql.ansi.enabled", ansi);
        try {
            test.run();
        } finally {
            spark.conf().unset("spark.sql.ansi.enabled");
            spark.sparkContext().setLogLevel("ERROR");
        }
    }

    /** The exception can be serialized, so that a client in a different process gets the message. */
    @Test
    void wrongArgumentsTravel() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            spark.sql("SELECT edit_distance('a')");
        } catch (Exception e) {
            // Scala throws Spark's checked exception without declaring it
            new ObjectOutputStream(bytes).writeObject(e);
        }
        Object read = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        assertThat(read).isInstanceOfSatisfying(AnalysisException.class, e -> assertThat(e)
                .hasMessageContaining("[BELLMAN_FUNCTION_ARGUMENTS] edit_distance cannot be called"));
    }

    @Test
    void rejections() {
        String rejection = BellmanFunctions.registerRejection(
                spark,
                Catalogue.functions().stream()
                        .filter(each -> each.name().equals("matrix_chain_cost"))
                        .findFirst()
                        .orElseThrow());
        List<String> reasons = spark
                .sql("SELECT %s(dims) FROM VALUES (array(4, 5, 6)), (array(4)), (NULL), (array(4, 0)) AS t(dims)"
                        .formatted(rejection))
                .collectAsList()
                .stream()
                .map(row -> row.getString(0))
                .toList();
        assertThat(reasons).hasSize(4);
        assertThat(reasons.get(0)).isNull();
        assertThat(reasons.get(1)).startsWith("[BELLMAN_INPUT_VALUE] matrix_chain_cost: ");
        assertThat(reasons.get(2)).isNull();
        assertThat(reasons.get(3)).contains("entry 2");
    }
}
