package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.SparkTest;
import dev.bellman.align.subsequence.LongestCommonSubsequence.Strategy;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with constant arguments become constants in the optimized plan. */
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

    /** All examples in the catalogue become constants. */
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

    /** As with built-in functions, a failing call makes the query fail, except where the call might never run. */
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

    /** Expressions that depend on a folded call are simplified as well. */
    @Test
    void pruned() {
        assertThat(optimized(spark.range(3).where("edit_distance('kitten', 'sitting') > 3")))
                .contains("LocalRelation <empty>");
        assertThat(optimized(spark.range(3).where("edit_distance('kitten', 'sitting') = 3")))
                .doesNotContain("Filter");
    }

    /** A call remains in the plan if it would take minutes, or if it needs more memory than the driver has. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(repeat('abc', 200000), repeat('ac', 200001))",
                "rna_fold_energy(repeat('GGGAAACCC', 300))",
                "s_dp_last(array(1L), array(1), 2000000000, 'sum')",
                "cyk(split(repeat('a ', 2000), ' '), \"S -> S S [0.5] | 'a' [0.5] | '' [0.5]\")",
                "shortest_paths(30000, array(named_struct('source', 0, 'target', 1, 'weight', 1L)))"
            })
    void tooLong(String call) {
        assertThat(optimized(spark.range(3).selectExpr(call + " AS x"))).contains(call.replaceAll("\\(.*", "("));
    }

    /** A call with constant arguments that remains in the plan is computed once for all rows of a task. */
    @Test
    void once() {
        LongAccumulator calls = spark.sparkContext().longAccumulator();
        SparkSession session = spark.newSession();
        BellmanFunctions.register(session, new FunctionOptions(OnInvalid.FAIL, cells -> calls.add(1)));
        session.conf().set("spark.sql.optimizer.excludedRules", Examples.FOLDING);
        for (boolean codegen : new boolean[] {true, false}) {
            calls.reset();
            session.conf().set("spark.sql.codegen.wholeStage", codegen);
            session.conf().set("spark.sql.codegen.factoryMode", codegen ? "CODEGEN_ONLY" : "NO_CODEGEN");
            List<Row> rows = session.range(0, 100, 1, 2)
                    .selectExpr("edit_distance('kitten', 'sitting') + id", "edit_distance('a', string(id))")
                    .collectAsList();
            assertThat(rows.get(99)).isEqualTo(RowFactory.create(102L, 2));
            assertThat(calls.value()).isEqualTo(2 + 100);
        }
    }

    /** While a call is folded, other queries in the session can look up functions. */
    @Test
    void catalogueIsFree() {
        List<Boolean> locked = new ArrayList<>();
        org.apache.spark.sql.classic.SparkSession session =
                (org.apache.spark.sql.classic.SparkSession) spark.newSession();
        Object catalogue = session.sessionState().catalog();
        BiConsumer<String, Object> check = (name, value) -> locked.add(Thread.holdsLock(catalogue));
        BellmanFunction<?> checked = Entry.of("lcs", new Problem<>("lcs", Strategy.class, Strategy.AUTO))
                .signature(
                        List.of(
                                new Parameter("a", DataTypes.StringType, check),
                                new Parameter("b", DataTypes.StringType, check)),
                        DataTypes.StringType,
                        (strategy, options, arguments) -> arguments.string(0))
                .description("Returns `a`.")
                .example("lcs('a', 'b')", "a")
                .function();
        BellmanFunctions.register(session, List.of(checked), FunctionOptions.DEFAULT);

        session.sql("SELECT lcs('a', string(id)), lcs(lower('B'), 'c') FROM range(3)");
        assertThat(locked).containsExactly(false, false, false);
    }
}
