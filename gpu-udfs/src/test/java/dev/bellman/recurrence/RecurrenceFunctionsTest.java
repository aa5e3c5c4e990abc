package dev.bellman.recurrence;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.ErrorCode;
import dev.bellman.SparkTest;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecurrenceFunctionsTest extends SparkTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"auto", "sequential", "tournament", "naive-parallel", "pipeline", "pipeline-2x2", "blocked"})
    void strategies(String strategy) {
        spark.conf().set("spark.bellman.s_dp.strategy", strategy);
        try {
            assertThat(row("s_dp(array(0, 1), array(2, 1), 9, 'sum')").<Long>getList(0))
                    .containsExactly(0L, 1L, 1L, 2L, 3L, 5L, 8L, 13L, 21L);
            assertThat(row("s_dp_last(array(0, 1), array(2, 1), 9, 'sum mod 10')")
                            .getLong(0))
                    .isEqualTo(1);
            // unbounded knapsack: items of size 3 and 2 and value 5 and 3 in a knapsack of size 7; negative sizes have
            // the value -999
            assertThat(row("element_at(s_dp_weighted(array(-999, -999, 0), array(3, 2), array(5, 3), 10, 'max'), -1)")
                            .getLong(0))
                    .isEqualTo(11);
        } finally {
            spark.conf().unset("spark.bellman.s_dp.strategy");
        }
    }

    @Test
    void elementTypes() {
        assertThat(row("s_dp(array(1.5D, 2D), array(2, 1), 4, 'sum')").<Double>getList(0))
                .containsExactly(1.5, 2.0, 3.5, 5.5);
        assertThat(row("s_dp_last(array(1.5, 2.5), array(2, 1), 3L, 'min')").getDouble(0))
                .isEqualTo(1.5);
        assertThat(row("s_dp_last(array(double('NaN'), 2D), array(2, 1), 3, 'max')")
                        .getDouble(0))
                .isNaN();
        assertThat(row("s_dp_weighted(array(1.5D), array(1), array(1), 3, 'min')")
                        .<Double>getList(0))
                .containsExactly(1.5, 2.5, 3.5);
        assertThat(row("s_dp(CAST(array(7) AS ARRAY<SMALLINT>), CAST(array(1) AS ARRAY<SMALLINT>), 2L, 'first')")
                        .<Long>getList(0))
                .containsExactly(7L, 7L);
    }

    /** Tests columns in several partitions, with NULL rows, instead of constants. */
    @Test
    void columns() {
        spark.range(0, 1_000, 1, 4)
                .selectExpr("id", "IF(id % 10 = 0, NULL, array(id, id + 1)) AS initial", "array(2, 1) AS offsets")
                .selectExpr("id", "s_dp_last(initial, offsets, CAST(id % 7 + 1 AS INT), IF(id % 2 = 0, 'min', 'last'))")
                .collectAsList()
                .forEach(row -> {
                    long id = row.getLong(0);
                    boolean last = id % 2 == 1 && id % 7 > 0;
                    assertThat(row.get(1))
                            .isEqualTo(id % 10 == 0 ? null : (Object) (last || id % 7 == 1 ? id + 1 : id));
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "NULL | array(2, 1) | 3 | 'min'",
                "array(1, 2) | NULL | 3 | 'min'",
                "array(1, 2) | array(2, 1) | NULL | 'min'",
                "array(1, 2) | array(2, 1) | 3 | NULL"
            })
    void nulls(String initial, String offsets, String n, String op) {
        assertThat(row("s_dp(%s, %s, %s, %s)".formatted(initial, offsets, n, op))
                        .get(0))
                .isNull();
        assertThat(row("s_dp_last(%s, %s, %s, %s)".formatted(initial, offsets, n, op))
                        .get(0))
                .isNull();
        assertThat(row("s_dp_weighted(%s, %s, array(1, 1), %s, %s)".formatted(initial, offsets, n, op))
                        .get(0))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "array(1, 2) | array(1, 2) | 3 | 'min' | entry 2 of offsets (counted from 1) is 2, but the previous "
                        + "entry is 1; offsets "
                        + "must decrease",
                "array(1, 2) | array(1, 1) | 3 | 'min' | is 1, but the previous entry is 1",
                "array(1, 2) | array(1, 0) | 3 | 'min' | entry 2 of offsets (counted from 1) is 0; an offset must "
                        + "be at least 1",
                "array(1, 2) | array(-1) | 3 | 'min' | is -1",
                "array(1, 2) | array(3) | 3 | 'min' | the first offset is 3, but initial has only 2 entries",
                "array(1, 2) | CAST(array() AS ARRAY<INT>) | 3 | 'min' | offsets is empty",
                "array(1, NULL) | array(1) | 3 | 'min' | entry 2 of initial (counted from 1) is NULL",
                "array(1, 2) | array(CAST(NULL AS INT)) | 3 | 'min' | entry 1 of offsets (counted from 1) is NULL",
                "array(1, 2) | array(1) | -1 | 'min' | length is -1",
                "array(1, 2) | array(1) | 3 | 'bool_or' | entry 2 of initial (counted from 1) is 2; for bool_or it "
                        + "must be 0 or 1"
            })
    void invalid(String initial, String offsets, String n, String op, String message) {
        String arguments = "(%s, %s, %s, %s)".formatted(initial, offsets, n, "'" + op.replace("'", "") + "'");
        assertFails(ErrorCode.BELLMAN_INPUT_VALUE, () -> row("s_dp" + arguments))
                .hasMessageContainingAll("s_dp: ", message);
        Row nulls = spark.sql("SELECT try_s_dp" + arguments + ", try_s_dp_last" + arguments)
                .first();
        assertThat(nulls.isNullAt(0) && nulls.isNullAt(1)).isTrue();
    }

    /**
     * An unknown operator that is a constant is an error when the query is planned, even in {@code try_} variants. An
     * unknown operator in a column fails only when the row is solved, and the {@code try_} variants return NULL.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "s_dp | array(1, 2), array(1), 3 | mim | for BIGINT it must be one of min, max, sum, sum "
                        + "mod M, bit_and, "
                        + "bit_or, bit_xor, bool_and, bool_or, first, last; M must be from 1 to 4611686018427387904",
                "s_dp | array(1, 2), array(1), 3 | sum mod 0 | for BIGINT it must be one of min, max, sum, sum mod M, "
                        + "bit_and, bit_or, bit_xor, bool_and, bool_or, first, last; M must be from 1 to "
                        + "4611686018427387904",
                "s_dp_last | array(1, 2), array(1), 3 | sum mod 4611686018427387905 | M must be from 1 to "
                        + "4611686018427387904",
                "s_dp_last | array(1D, 2D), array(1), 3 | bit_or | for DOUBLE it must be one of min, max, "
                        + "sum, first, last",
                "s_dp_weighted | array(1), array(1), array(1), 0 | sum | for weighted BIGINT it must be one of min, max"
            })
    void unknownOperators(String function, String arguments, String op, String expected) {
        for (String name : new String[] {function, "try_" + function}) {
            assertThatThrownBy(() -> spark.sql("SELECT %s(%s, '%s')".formatted(name, arguments, op)))
                    .isInstanceOf(AnalysisException.class)
                    .cause()
                    .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] %s: operator is '%s'; for ", name, op)
                    .hasMessageEndingWith(expected);
        }
        String inRow = "%s(%s, op) FROM VALUES ('%s') AS t(op)".formatted(function, arguments, op);
        assertFails(ErrorCode.BELLMAN_INPUT_VALUE, () -> row(inRow))
                .hasMessageContaining("%s: operator is '%s'; for ", function, op)
                .hasMessageContaining("%s. Correct the row, or use try_%s, which returns NULL", expected, function);
        assertThat(row("try_" + inRow).isNullAt(0)).isTrue();
    }

    @Test
    void invalidForOne() {
        assertFails(ErrorCode.BELLMAN_INPUT_VALUE, () -> row("s_dp_last(array(1), array(1), 0, 'min')"))
                .hasMessageContaining("length is 0; it must be at least 1");
        assertFails(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        () -> row("s_dp_weighted(array(1), array(1), array(1, 2), 0, 'min')"))
                .hasMessageContaining("weights has 2 entries, but offsets has 1");
        assertThat(row("s_dp(array(1), array(1), 0, 'min')").getList(0)).isEmpty();
        assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> row("s_dp(array(1, 1), array(2, 1), 100, 'sum')"))
                .hasMessageContaining("at index 92 ");
        assertThat(row("try_s_dp(array(1, 1), array(2, 1), 100, 'sum')").get(0)).isNull();
    }

    /** The function fails with a limit error, not with an OutOfMemoryError, which would end the executor. */
    @Test
    void tableLargerThanTheHeap() {
        for (String function : new String[] {"s_dp", "s_dp_last"}) {
            String call = function + "(array(1), array(1), 2147483647, 'min')";
            assertFails(ErrorCode.BELLMAN_LIMIT, () -> row(call))
                    .hasMessageContaining(
                            function.contains("last")
                                    ? "the table for 2,147,483,647 elements takes"
                                    : "length is 2,147,483,647");
            assertThat(value("try_" + call)).isNull();
        }
    }

    @Test
    void wrongTypes() {
        assertThatThrownBy(() -> row("s_dp('a', array(1), 3, 'min')"))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining(
                        "s_dp: the argument initial is of type STRING; it must be ARRAY<BIGINT> or ARRAY<DOUBLE>. To");
        assertThatThrownBy(() -> row("s_dp(array(1), 3)"))
                .hasMessageContaining("expected s_dp(initial, offsets, length, operator);");
    }
}
