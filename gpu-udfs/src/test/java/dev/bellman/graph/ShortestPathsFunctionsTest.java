package dev.bellman.graph;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.ErrorCode;
import dev.bellman.SparkTest;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShortestPathsFunctionsTest extends SparkTest {

    private static String text(String expression) {
        return (String) value("CAST(%s AS STRING)".formatted(expression));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "floyd-warshall", "r-way", "blocked", "dijkstra", "johnson"})
    void strategies(String strategy) {
        withStrategy("shortest_paths", strategy, () -> {
            // two paths of the same length from 0 to 3
            String edges =
                    "array(struct(0, 1, 2L), struct(1, 3, 2L), struct(0, 2, 3L), struct(2, 3, 1L), struct(3, 4, 0L))";
            assertThat(text("shortest_paths(5, %s)".formatted(edges)))
                    .isEqualTo(
                            "[[0, 2, 3, 4, 4], [null, 0, null, 2, 2], [null, null, 0, 1, 1], [null, null, null, 0, 0], "
                                    + "[null, null, null, null, 0]]");
            assertThat(text("shortest_path_next(5, %s)".formatted(edges)))
                    .isEqualTo("[[null, 1, 2, 1, 1], [null, null, null, 3, 3], [null, null, null, 3, 3], "
                            + "[null, null, null, null, 4], [null, null, null, null, null]]");
        });
    }

    /**
     * If the fields have other names, they are matched by position; numbers are widened, and a single fractional weight
     * makes all weights DOUBLE.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "array(struct(0, 1, 2L)) | [[0, 2], [null, 0]]",
                "array(struct(0S, 1S, 2)) | [[0, 2], [null, 0]]",
                "array(named_struct('a', 0, 'b', 1, 'c', 2)) | [[0, 2], [null, 0]]",
                "array(struct(0, 1, 2.5)) | [[0.0, 2.5], [null, 0.0]]",
                "array(struct(0, 1, 2.5D), struct(0, 1, 1.25D)) | [[0.0, 1.25], [null, 0.0]]",
                "array(struct(0, 1, 1.5F)) | [[0.0, 1.5], [null, 0.0]]",
                "CAST(array() AS ARRAY<STRUCT<source: INT, target: INT, weight: BIGINT>>) | [[0, null], [null, 0]]"
            })
    void types(String edges, String expected) {
        assertThat(text("shortest_paths(2, %s)".formatted(edges))).isEqualTo(expected);
    }

    /** Fields in a different order would define a different graph, so they are an error. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "named_struct('target', 1, 'source', 0, 'weight', 2) | target, source, weight",
                "named_struct('Weight', 2, 'source', 0, 'target', 1) | Weight, source, target",
                "named_struct('id', 7, 'source', 0, 'target', 1) | id, source, target"
            })
    void fieldsInAnotherOrder(String edge, String fields) {
        for (String function : List.of("shortest_paths", "try_shortest_path_next")) {
            assertThatThrownBy(() -> value("%s(2, array(%s))".formatted(function, edge)))
                    .isInstanceOf(AnalysisException.class)
                    .hasMessageContaining(
                            ("[BELLMAN_FUNCTION_ARGUMENTS] %s: the fields of the argument edges are %s; they must be "
                                            + "source, target, weight, in this order")
                                    .formatted(function, fields));
        }
    }

    @Test
    void sizes() {
        String none = "CAST(array() AS ARRAY<STRUCT<source: INT, target: INT, weight: BIGINT>>)";
        assertThat(text("shortest_paths(0, %s)".formatted(none))).isEqualTo("[]");
        assertThat(text("shortest_paths(1, array(struct(0, 0, 7L)))")).isEqualTo("[[0]]");
        assertThat(text("shortest_path_next(1, array(struct(0, 0, 7L)))")).isEqualTo("[[null]]");
        assertThat(value("shortest_paths(NULL, %s)".formatted(none))).isNull();
        assertThat(value("shortest_paths(2, NULL)")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "-1 | array(struct(0, 1, 2L)) | vertex_count is -1",
                "2 | array(struct(0, 2, 2L)) | the target of edge 1 (counted from 1) is 2",
                "2 | array(struct(0, 1, 2L), struct(-1, 1, 2L)) | the source of edge 2 (counted from 1) is -1",
                "2 | array(struct(0, 1, 2L), NULL) | edge 2 (counted from 1) is NULL",
                "2 | array(struct(0, 1, CAST(NULL AS BIGINT))) | the weight of edge 1 (counted from 1) is NULL",
                "2 | array(struct(0, 1, double('NaN'))) | the weight of edge 1 (counted from 1) is NaN",
                "2 | array(struct(0, 1, double('Infinity'))) | is Infinity; it must be a number of at most 1.0E288",
                "2 | array(struct(0, 1, 2L), struct(1, 0, -3L)) | vertex 1 is on a cycle of negative weight"
            })
    void rejected(int nodes, String edges, String message) {
        assertFails(ErrorCode.BELLMAN_INPUT_VALUE, () -> value("shortest_paths(%d, %s)".formatted(nodes, edges)))
                .hasMessageContaining(message);
        assertThat(value("try_shortest_paths(%d, %s)".formatted(nodes, edges))).isNull();
        assertThat(value("try_shortest_path_next(%d, %s)".formatted(nodes, edges)))
                .isNull();
    }

    @Test
    void limits() {
        String none = "CAST(array() AS ARRAY<STRUCT<source: INT, target: INT, weight: BIGINT>>)";
        assertThatThrownBy(() -> value("shortest_paths(2147483647, %s)".formatted(none)))
                .hasStackTraceContaining("BELLMAN_LIMIT");
        assertThat(value("try_shortest_path_next(16001, %s)".formatted(none))).isNull();
        assertThatThrownBy(
                        () -> value("shortest_paths(3, array(struct(0, 1, 9223372036854775807L), struct(1, 2, 1L)))"))
                .hasStackTraceContaining("BELLMAN_OVERFLOW");
    }
}
