package dev.bellman;

import dev.bellman.function.BellmanExtensions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The base class of tests that call functions in SQL, in a local session with these functions. The build runs these
 * tests in a JVM that is set up for short queries.
 */
@Tag("session")
public abstract class SparkTest {
    private static final Map<String, String> PLAIN = Map.of(
            "spark.sql.adaptive.enabled", "false",
            "spark.sql.codegen.wholeStage", "false",
            "spark.sql.codegen.factoryMode", "NO_CODEGEN",
            "spark.sql.planChangeValidation", "false",
            "spark.sql.lightweightPlanChangeValidation", "false");

    protected static SparkSession spark;

    @BeforeAll
    static void startSession() {
        spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.sql.extensions", BellmanExtensions.class.getName())
                .getOrCreate();
    }

    @AfterAll
    static void stopSession() {
        spark.stop();
    }

    /** Returns the first row of a query, which is given without {@code SELECT}. */
    protected static Row row(String expressions) {
        return spark.sql("SELECT " + expressions).first();
    }

    protected static Object value(String expression) {
        return row(expression).get(0);
    }

    /** Returns the plan that Spark executes, as text. */
    protected static String plan(Dataset<Row> query) {
        return query.queryExecution().executedPlan().toString();
    }

    /**
     * Returns the expected rows of a test. To save time, no code is generated for this query, and its plan is neither
     * adapted nor validated.
     */
    protected static List<Row> expected(String query) {
        Map<String, String> before = new HashMap<>();
        PLAIN.forEach((key, value) -> {
            before.put(key, spark.conf().get(key));
            spark.conf().set(key, value);
        });
        try {
            return spark.sql(query).collectAsList();
        } finally {
            before.forEach(spark.conf()::set);
        }
    }

    /** Runs an action with a strategy for a problem. */
    protected static void withStrategy(String problem, String strategy, Runnable test) {
        String key = "spark.bellman." + problem + ".strategy";
        spark.conf().set(key, strategy);
        try {
            test.run();
        } finally {
            spark.conf().unset(key);
        }
    }
}
