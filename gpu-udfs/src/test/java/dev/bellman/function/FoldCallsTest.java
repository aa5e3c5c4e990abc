package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with constant arguments are constants in the optimized plan. */
class FoldCallsTest extends SparkTest {
    private static String optimized(Dataset<?> query) {
        return query.queryExecution().optimizedPlan().toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance('kitten', 'sitting') + id",
                "edit_distance(reverse('nettik'), concat('sit', 'ting'))",
                "edit_distance(lcs('kitten', 'sitting'), 'x')",
                "alignment('ACGT', 'AGT', 'global', 'blosum50 open 8 extend 8')",
                "matrix_chain_order(array(10, 20, 30))",
                "lu(array(array(2D, 1D), array(1D, 2D)))",
                "try_matrix_chain_cost(array(0, 1))",
                "if(id > 1, edit_distance('a', 'b'), 7)",
                "edit_distance(string(id), NULL)",
                "edit_distance('a', 'b', CAST(NULL AS INT))"
            })
    void constant(String call) {
        Dataset<Row> folded = spark.range(3).selectExpr(call + " AS x");
        String projected = optimized(folded).lines().findFirst().orElseThrow();
        assertThat(projected.replaceFirst("^Project \\[if ?\\(", "")).doesNotContainPattern("[a-z]\\(");
        List<Row> rows = folded.collectAsList();
        spark.conf().set("spark.sql.optimizer.excludedRules", Examples.FOLDING);
        try {
            Dataset<Row> called = spark.range(3).selectExpr(call + " AS x");
            assertThat(optimized(called)).contains(call.replaceAll("^if.*?, |\\(.*", "") + "(");
            assertThat(rows).isEqualTo(called.collectAsList());
        } finally {
            spark.conf().unset("spark.sql.optimizer.excludedRules");
        }
    }

    /** All examples of the catalogue are constant. */
    @Test
    void examples() {
        spark.conf().set("spark.sql.debug.maxToStringFields", 1_000);
        try {
            Dataset<Row> query = Examples.query(spark);
            String plan = optimized(query);
            assertThat(plan).startsWith("Project [").doesNotContain("more fields");
            Catalogue.functions().forEach(function -> assertThat(plan).doesNotContain(function.name() + "("));
            Examples.areTrue(query);
        } finally {
            spark.conf().unset("spark.sql.debug.maxToStringFields");
        }
    }

    /** As for built-in functions: a failure is one of the query, but not where the call may never run. */
    @Test
    void failures() {
        Dataset<Row> always = spark.range(1).selectExpr("matrix_chain_cost(array(0, 1))");
        assertThatThrownBy(() -> optimized(always)).hasStackTraceContaining("BELLMAN_INPUT_VALUE");

        Dataset<Row> sometimes = spark.range(3)
                .selectExpr("if(id > 2, matrix_chain_cost(array(0, 1)), id)", "coalesce(id, determinant(array()))");
        assertThat(optimized(sometimes)).contains("matrix_chain_cost(");
        assertThat(sometimes.collectAsList()).hasSize(3);
        assertThatThrownBy(() -> spark.range(3)
                        .selectExpr("if(id > 1, matrix_chain_cost(array(0, 1)), id)")
                        .collectAsList())
                .hasStackTraceContaining("BELLMAN_INPUT_VALUE");
    }

    /** An expression that depends on the call is simplified as well. */
    @Test
    void pruned() {
        assertThat(optimized(spark.range(3).where("edit_distance('kitten', 'sitting') > 3")))
                .contains("LocalRelation <empty>");
        assertThat(optimized(spark.range(3).where("edit_distance('kitten', 'sitting') = 3")))
                .doesNotContain("Filter");
    }
}
