package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.SparkTest;
import dev.bellman.plan.catalyst.RowError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.internal.SQLConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * A row that a function rejects makes the query fail with a single short exception, wherever the call is in the query.
 */
class RowErrorsTest extends SparkTest {
    private static final String MESSAGE =
            "[BELLMAN_INPUT_VALUE] hamming_distance: a has 3 characters and b has 1; the two "
                    + "lengths must be equal. Correct the row, or use try_hamming_distance, which returns NULL";

    private static final List<String> QUERIES = List.of(
            "SELECT hamming_distance(a, b) FROM pairs",
            "SELECT id FROM pairs WHERE hamming_distance(a, b) > 1",
            "SELECT x.id FROM pairs x LEFT JOIN pairs y ON x.id > y.id AND hamming_distance(x.a, x.b) < y.id",
            "SELECT hamming_distance(a, b), count(*) FROM pairs GROUP BY 1",
            "SELECT max(hamming_distance(a, b)) FROM pairs GROUP BY id % 2",
            "SELECT id FROM pairs ORDER BY hamming_distance(a, b)",
            "SELECT rank() OVER (ORDER BY hamming_distance(a, b)) FROM pairs",
            "SELECT transform(array(a), x -> hamming_distance(x, b)) FROM pairs",
            "SELECT explode(sequence(0, hamming_distance(a, b))) FROM pairs",
            "SELECT hamming_distance(a, b) FROM few",
            "SELECT a FROM few WHERE hamming_distance(a, b) > 1",
            "SELECT hamming_distance(a, 'x') FROM (SELECT 'abc' AS a)",
            "SELECT hamming_distance('abc', 'x')");

    @BeforeAll
    static void pairs() {
        spark.range(0, 8, 1, 2)
                .selectExpr("id", "'abc' AS a", "if(id = 7, 'x', 'abd') AS b")
                .createOrReplaceTempView("pairs");
        spark.sql(
                "CREATE OR REPLACE TEMPORARY VIEW few AS SELECT * FROM VALUES ('abc', 'abd'), ('abc', 'x') AS t(a, b)");
    }

    @AfterEach
    void reset() {
        for (String key : List.of(
                "spark.sql.adaptive.enabled", "spark.sql.codegen.wholeStage", "spark.sql.codegen.factoryMode")) {
            spark.conf().unset(key);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, CODEGEN_ONLY", "true, NO_CODEGEN", "false, CODEGEN_ONLY", "false, NO_CODEGEN"})
    void everywhere(boolean adaptive, String mode) {
        spark.conf().set("spark.sql.adaptive.enabled", adaptive);
        spark.conf().set("spark.sql.codegen.wholeStage", mode.equals("CODEGEN_ONLY"));
        spark.conf().set("spark.sql.codegen.factoryMode", mode);
        for (String query : QUERIES) {
            assertThat(catchThrowable(() -> spark.sql(query).collectAsList()))
                    .as(query)
                    .satisfies(RowErrorsTest::isShort);
        }
    }

    /** RAPIDS sees Spark's own expression; calls that it leaves to the CPU become Bellman's calls again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withRapids(boolean adaptive) {
        spark.conf().set("spark.sql.adaptive.enabled", adaptive);
        SQLConf.get().setConfString("spark.plugins", "com.nvidia.spark.SQLPlugin");
        try {
            Dataset<Row> query =
                    spark.sql("SELECT hamming_distance(a, b) AS d, count(*) FROM pairs WHERE id < 7 GROUP BY d"
                            + " HAVING hamming_distance(concat('ab', d), 'abc') >= 0");
            assertThat(calls(query.queryExecution().optimizedPlan()))
                    .isNotEmpty()
                    .containsOnly(ScalaUDF.class);
            query.collectAsList();
            assertThat(calls(finalPlan(query.queryExecution().executedPlan())))
                    .hasSizeGreaterThan(1)
                    .containsOnly(Call.class);
            assertThat(catchThrowable(() -> spark.sql(QUERIES.get(3)).collectAsList()))
                    .satisfies(RowErrorsTest::isShort);
        } finally {
            SQLConf.get().unsetConf("spark.plugins");
        }
    }

    private static SparkPlan finalPlan(SparkPlan plan) {
        return plan instanceof AdaptiveSparkPlanExec adaptive ? adaptive.finalPhysicalPlan() : plan;
    }

    /** Returns the classes of the calls in a plan, including its stages. */
    private static List<Class<?>> calls(QueryPlan<?> plan) {
        List<Class<?>> calls = new ArrayList<>();
        if (plan instanceof QueryStageExec stage) {
            calls.addAll(calls(stage.plan()));
        }
        CollectionConverters.asJava(plan.expressions())
                .forEach(each -> each.foreach(new AbstractFunction1<>() {
                    @Override
                    public BoxedUnit apply(Expression expression) {
                        if (expression instanceof ScalaUDF) {
                            calls.add(expression.getClass());
                        }
                        return BoxedUnit.UNIT;
                    }
                }));
        CollectionConverters.asJava(plan.children()).forEach(child -> calls.addAll(calls((QueryPlan<?>) child)));
        return calls;
    }

    /** Spark logs the failure of a task on its executor and on the driver, with one line each. */
    @Test
    void logged() throws TimeoutException {
        List<String> logged = new CopyOnWriteArrayList<>();
        SparkListener tasks = new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.reason() instanceof ExceptionFailure failure) {
                    logged.add(failure.toErrorString().strip());
                }
            }
        };
        SparkContext context = spark.sparkContext();
        context.addSparkListener(tasks);
        try {
            Throwable failure = catchThrowable(() -> spark.sql(QUERIES.get(0)).collectAsList());
            context.listenerBus().waitUntilEmpty();
            assertThat(logged).containsExactly(RowError.class.getName() + ": " + MESSAGE);
            // the stack trace contains the code that ran the query
            assertThat(failure.getStackTrace())
                    .anyMatch(frame -> frame.getClassName().equals(getClass().getName()));
        } finally {
            context.removeSparkListener(tasks);
        }
    }

    private static void isShort(Throwable failure) {
        assertThat(failure)
                .isInstanceOf(SparkRuntimeException.class)
                .hasMessage(MESSAGE)
                .hasNoCause();
        assertThat(((SparkRuntimeException) failure).getMessageParameters())
                .containsEntry("code", "BELLMAN_INPUT_VALUE")
                .containsEntry("function", "hamming_distance")
                .containsEntry("value", "a has 3 characters and b has 1")
                .containsEntry("allowed", "the two lengths must be equal");
        assertThat(BellmanException.in(failure))
                .hasValueSatisfying(own -> assertThat(own.code()).isEqualTo(ErrorCode.BELLMAN_INPUT_VALUE));
    }
}
