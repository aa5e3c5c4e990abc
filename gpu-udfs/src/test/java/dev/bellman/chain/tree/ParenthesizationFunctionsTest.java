package dev.bellman.chain.tree;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import dev.bellman.SparkTest;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the functions for polygons, search trees and given costs of ranges in SQL. */
class ParenthesizationFunctionsTest extends SparkTest {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "table", "tiled", "hu-shing"})
    void triangulation(String strategy) {
        withStrategy("triangulation", strategy, () -> {
            assertThat(value("triangulation_cost(array(30, 35, 15, 5, 10, 20, 25))"))
                    .isEqualTo(15125L);
            Row solution = (Row) value("triangulation(array(30, 35, 15, 5, 10, 20, 25))");
            assertThat(solution.getLong(0)).isEqualTo(15125);
            assertThat(solution.<Row>getList(1))
                    .extracting(triangle -> List.of(triangle.getInt(0), triangle.getInt(1), triangle.getInt(2)))
                    .containsExactly(
                            List.of(0, 3, 6), List.of(0, 1, 3), List.of(1, 2, 3), List.of(3, 5, 6), List.of(3, 4, 5));
        });
    }

    /** The cost equals the sum of the triangles' costs, computed in SQL. */
    @Test
    void trianglesInSql() {
        spark.range(1, 500, 1, 3)
                .selectExpr("transform(sequence(0, id % 40 + 1), i -> (i * i * id) % 23 + 1) AS weights")
                .selectExpr("weights", "triangulation(weights) AS t", "triangulation_cost(weights) AS cost")
                .selectExpr(
                        "cost",
                        "t.cost AS own",
                        "aggregate(t.triangles, 0L, (sum, x) -> "
                                + "sum + weights[x.a] * weights[x.b] * weights[x.c]) AS sum")
                .collectAsList()
                .forEach(row -> {
                    assertThat(row.getLong(1)).isEqualTo(row.getLong(0));
                    assertThat(row.getLong(2)).isEqualTo(row.getLong(0));
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "knuth", "table"})
    void optimalBst(String strategy) {
        withStrategy("optimal_bst", strategy, () -> {
            Row row = row("optimal_bst_cost(array(15, 10, 5, 10, 20), array(5, 10, 5, 5, 5, 10)), "
                    + "optimal_bst(array(15S, 10S, 5S, 10S, 20S), array(5, 10, 5, 5, 5, 10)), "
                    + "optimal_bst_cost(array(0.15, 0.10, 0.05, 0.10, 0.20), array(0.05, 0.10, 0.05, 0.05, 0.05, "
                    + "0.10)), optimal_bst(array(15D, 10D, 5D, 10D, 20D), array(5, 10, 5, 5, 5, 10))");
            assertThat(row.getLong(0)).isEqualTo(275);
            assertThat(row.getStruct(1).getLong(0)).isEqualTo(275);
            assertThat(row.getStruct(1).<Integer>getList(1)).containsExactly(2, 1, 5, 4, 3);
            assertThat(row.getDouble(2)).isEqualTo(2.75);
            assertThat(row.getStruct(3).getDouble(0)).isEqualTo(275);
            assertThat(row.getStruct(3).<Integer>getList(1)).containsExactly(2, 1, 5, 4, 3);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "table", "tiled"})
    void parenthesization(String strategy) {
        withStrategy("parenthesization", strategy, () -> {
            Row row = row("parenthesization(array(0, 0, 0), flatten(array(array(1, 9), array(2)))), "
                    + "parenthesization(array(0.5D, 0D, 0D), array(2, 9, double('infinity')))");
            assertThat(row.getStruct(0).getLong(0)).isEqualTo(10);
            assertThat(row.getStruct(0).<Integer>getList(1)).containsExactly(2, 1);
            assertThat(row.getStruct(1).getDouble(0)).isEqualTo(11.5);
            assertThat(row.getStruct(1).<Integer>getList(1)).containsExactly(2, 1);
        });
    }

    /** Tests columns in several partitions, with NULL rows, instead of constants. */
    @Test
    void columns() {
        spark.range(0, 1_000, 1, 4)
                .selectExpr("id", "IF(id % 10 = 0, NULL, array(id)) AS p", "array(id, 1) AS q")
                .selectExpr("id", "optimal_bst_cost(p, q)", "optimal_bst(p, q).cost", "parenthesization(q, p).cost")
                .collectAsList()
                .forEach(row -> {
                    long id = row.getLong(0);
                    assertThat(row.get(1)).isEqualTo(id % 10 == 0 ? null : (Object) (3 * id + 2));
                    assertThat(row.get(2)).isEqualTo(row.get(1));
                    assertThat(row.get(3)).isEqualTo(id % 10 == 0 ? null : (Object) (2 * id + 1));
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "triangulation_cost(CAST(NULL AS ARRAY<BIGINT>))",
                "triangulation(CAST(NULL AS ARRAY<BIGINT>))",
                "optimal_bst_cost(CAST(NULL AS ARRAY<BIGINT>), array(1))",
                "optimal_bst_cost(array(1), CAST(NULL AS ARRAY<DOUBLE>))",
                "optimal_bst(CAST(NULL AS ARRAY<DOUBLE>), array(1))",
                "parenthesization(CAST(NULL AS ARRAY<BIGINT>), array(1))",
                "parenthesization(array(1D), CAST(NULL AS ARRAY<BIGINT>))"
            })
    void nulls(String expression) {
        assertThat(value(expression)).isNull();
        assertThat(value("try_" + expression)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "triangulation_cost(array(3)) | weights has too few entries (1); it needs at least 2",
                "triangulation(array(3, NULL, 2)) | entry 2 of weights (counted from 1) is NULL; a weight must be "
                        + "at least 1",
                "triangulation(array(3, 4, 0)) | entry 3 of weights (counted from 1) is 0",
                "optimal_bst_cost(array(1, 2), array(1, 2)) | key_frequencies has 2 entries and gap_frequencies has "
                        + "2; gap_frequencies needs one more entry than key_frequencies",
                "optimal_bst(array(1, NULL), array(1, 2, 3)) | entry 2 of key_frequencies (counted from 1) is NULL; it "
                        + "must be a number",
                "optimal_bst(array(1, 2), array(1, -2, 3)) | entry 2 of gap_frequencies (counted from 1) is -2",
                "optimal_bst(array(1), array(1, double('nan'))) | entry 2 of gap_frequencies (counted from 1) is NaN",
                "optimal_bst(array(1), array(double('infinity'), 0D)) | entry 1 of gap_frequencies (counted "
                        + "from 1) is infinite",
                "parenthesization(array(1, 2), array(1, 2)) | range_costs has 2 entries; for 2 leaves it needs 1",
                "parenthesization(CAST(array() AS ARRAY<BIGINT>), CAST(array() AS ARRAY<BIGINT>)) | leaf_costs is "
                        + "empty",
                "parenthesization(array(1, 2D), array(-0.5)) | entry 1 of range_costs (counted from 1) is -0.5"
            })
    void invalid(String expression, String message) {
        assertRejected(ErrorCode.BELLMAN_INPUT_VALUE, expression, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "triangulation(array(3000000, 3000000, 3000000)) | of this polygon with 3 vertices",
                "optimal_bst_cost(array(9223372036854775807), array(0, 1)) | the best tree for these 1 keys costs "
                        + "more than",
                "parenthesization(array(9223372036854775807, 1), array(0)) | the best tree for these 2 leaves costs "
                        + "more than"
            })
    void overflow(String expression, String message) {
        assertRejected(ErrorCode.BELLMAN_OVERFLOW, expression, message);
    }

    private static void assertRejected(ErrorCode code, String expression, String message) {
        assertFails(code, () -> value(expression))
                .hasMessageContaining(message)
                .hasMessageContaining(expression.substring(0, expression.indexOf('(')) + ": ");
        assertThat(value("try_" + expression)).isNull();
    }
}
