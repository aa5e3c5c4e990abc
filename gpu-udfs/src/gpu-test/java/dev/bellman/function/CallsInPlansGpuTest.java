package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuTest;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls behave in plans like calls of built-in functions, even where RAPIDS replaces them. */
class CallsInPlansGpuTest extends GpuTest {
    @BeforeAll
    static void pairs() {
        spark().range(0, 3_000, 1, 3)
                .selectExpr(
                        "id",
                        "if(id % 11 = 0, NULL, substr('kitten', 1, int(id % 7))) AS a",
                        "concat('s', substr('itting', 1, int(id % 5))) AS b",
                        "if(id = 2345, 'kit', 's') AS c")
                .createOrReplaceTempView("pairs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT edit_distance(a, b), count(*) FROM pairs GROUP BY edit_distance(a, b)",
                "SELECT edit_distance(a, b) AS d, max(id) FROM pairs GROUP BY d HAVING edit_distance(a, b) > 2",
                "SELECT edit_distance(a, b), b, count(*) FROM pairs GROUP BY ROLLUP (edit_distance(a, b), b)",
                "SELECT count(DISTINCT edit_distance(a, b)) FROM pairs",
                "SELECT id, edit_distance(a, b) FROM pairs ORDER BY edit_distance(a, b) DESC NULLS LAST, id",
                "SELECT id, rank() OVER (PARTITION BY edit_distance(a, b) ORDER BY edit_distance(b, 'x'), id) FROM "
                        + "pairs",
                "SELECT x.id, y.id FROM pairs x JOIN pairs y ON edit_distance(x.a, x.b) > edit_distance(y.b, 'sitt')"
                        + " AND x.id = y.id + 1"
            })
    void sameAsOnCpu(String query) {
        Dataset<Row> onGpu = spark().sql(query);
        List<Row> rows = onGpu.collectAsList();

        assertThat(onGpu.queryExecution().executedPlan().toString())
                .contains("gpu_edit_distance(")
                .doesNotContainIgnoringCase("cpubridge");
        assertThat(rows)
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(
                        withConf("spark.rapids.sql.enabled", "false", () -> spark().sql(query)
                                .collectAsList()));
    }

    /** RAPIDS wraps the exception, which contains the code, the function and the reason. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rejectedRow(boolean adaptive) {
        Throwable failure = withConf(
                "spark.sql.adaptive.enabled",
                String.valueOf(adaptive),
                () -> catchThrowable(
                        () -> spark().sql("SELECT hamming_distance(c, 's'), count(*) FROM pairs GROUP BY 1")
                                .collectAsList()));

        assertThat(failure).hasMessageContaining("[BELLMAN_INPUT_VALUE] hamming_distance: a has 3 characters");
        assertThat(BellmanException.in(failure))
                .hasValueSatisfying(own -> assertThat(own.code()).isEqualTo(ErrorCode.BELLMAN_INPUT_VALUE));
    }
}
