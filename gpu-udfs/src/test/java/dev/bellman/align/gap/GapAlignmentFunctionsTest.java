package dev.bellman.align.gap;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import dev.bellman.SparkTest;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GapAlignmentFunctionsTest extends SparkTest {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "serial", "r-way", "blocked", "concave"})
    void alignment(String strategy) {
        withStrategy("gap_alignment", strategy, () -> {
            Row row = row("gap_alignment('GATTACA', 'GACA', 2, -3, array(4, 5, 5, 5, 5, 5, 5)), "
                    + "gap_alignment('GATTACA', 'GACA', 2, -3, array(1, 1, 1, 1, 1, 1, 1), array(9, 9, 9, 9)), "
                    + "gap_alignment('añ文', 'a文', 1, -1, array(1L, 1L, 1L))");
            assertThat(row.getStruct(0)).hasToString("[3,1=3I3=]");
            assertThat(row.getStruct(1)).hasToString("[7,1=3I3=]");
            assertThat(row.getStruct(2)).hasToString("[1,1=1I1=]");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gap_alignment(NULL, 'a', 1, -1, array(1))",
                "gap_alignment('a', 'b', NULL, -1, array(1))",
                "gap_alignment('a', 'b', 1, -1, CAST(NULL AS ARRAY<BIGINT>))",
                "gap_alignment('a', 'b', 1, -1, array(1), CAST(NULL AS ARRAY<BIGINT>))"
            })
    void nulls(String expression) {
        assertThat(value(expression)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BELLMAN_INPUT_VALUE | gap_alignment('abc', 'b', 1, -1, array(1, 2)) | gap_costs has 2 entries, but "
                        + "the longer sequence has 3",
                "BELLMAN_INPUT_VALUE | gap_alignment('abc', 'b', 1, -1, array(1, 2), array(1)) | a_gap_costs has 2 "
                        + "entries, but a has 3 letters",
                "BELLMAN_INPUT_VALUE | gap_alignment('a', 'b', 1, -1, array(1, NULL)) | entry 2 of gap_costs "
                        + "(counted from 1) is NULL",
                "BELLMAN_INPUT_VALUE | gap_alignment('a', 'b', 1, -1, array(-4, -5)) | entry 1 of gap_costs "
                        + "(counted from 1) is -4; the cost of a gap must be at least 0",
                "BELLMAN_INPUT_VALUE | gap_alignment('a', 'b', 1, -1, array(0, 5), array(2, 3, -1)) | entry 3 of "
                        + "b_gap_costs (counted from 1) is -1",
                "BELLMAN_OVERFLOW | gap_alignment('a', 'b', 9223372036854775807, -1, array(1)) | match is "
                        + "9223372036854775807"
            })
    void rejected(ErrorCode code, String expression, String message) {
        assertFails(code, () -> value(expression)).hasMessageContaining(message);
        assertThat(value("try_" + expression)).isNull();
    }
}
