package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.SparkTest;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls behave in plans like calls of built-in functions: equal calls are equal expressions. */
class CallsInPlansTest extends SparkTest {
    private static final String ALIGNMENT = "alignment(a, b, 'local', 'match 2 mismatch -1 open 3 extend 1')";

    @BeforeAll
    static void pairs() {
        // Catalyst validates the plan after each rule
        spark.conf().set("spark.sql.planChangeValidation", true);
        spark.conf().set("spark.sql.lightweightPlanChangeValidation", true);
        instances(spark).createOrReplaceTempView("pairs");
        spark.sql("CREATE OR REPLACE TEMPORARY VIEW distances AS SELECT *, edit_distance(a, b) AS d FROM pairs");
    }

    private static Dataset<Row> instances(SparkSession session) {
        return session.range(0, 300, 1, 3)
                .selectExpr(
                        "id",
                        "if(id % 11 = 0, NULL, substr('kitten', 1, int(id % 7))) AS a",
                        "concat('s', substr('itting', 1, int(id % 5))) AS b");
    }

    /** Generated code and generated queries contain ASCII digits, even if the locale has others. */
    @Test
    void localesWithOtherDigits() {
        Locale before = Locale.getDefault();
        spark.conf().set("spark.sql.codegen.fallback", false);
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(spark.sql(
                                    "SELECT edit_distance(a, b), s_dp(array(1), array(1), int(id), 'min') FROM pairs WHERE id > 0")
                            .collectAsList())
                    .hasSize(299);
            String names = "(TABLE(SELECT * FROM VALUES ('anna'), ('anne') AS names(name)), 'name', 1";
            assertThat(spark.sql("SELECT * FROM similar_pairs%s)".formatted(names))
                            .collectAsList())
                    .hasSize(1);
            assertThat(spark.sql("SELECT * FROM similar_clusters%s, linkage => 'complete')".formatted(names))
                            .collectAsList())
                    .hasSize(2);
            assertThat(spark.sql("SELECT * FROM nearest(TABLE(SELECT 'ann' AS name), %s)".formatted(names.substring(1)))
                            .collectAsList())
                    .hasSize(1);
        } finally {
            Locale.setDefault(before);
            spark.conf().unset("spark.sql.codegen.fallback");
        }
    }

    /** A call may occur wherever a built-in function may occur, with and without adaptive execution. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT edit_distance(a, b), count(*) FROM pairs GROUP BY edit_distance(a, b)",
                "SELECT edit_distance(A, b) + 1 AS x, count(*) FROM pairs GROUP BY edit_distance(a, B) + 1",
                "SELECT edit_distance(a, b) AS d, max(id) FROM pairs GROUP BY d HAVING edit_distance(a, b) > 2",
                "SELECT edit_distance(a, b), b, count(*) FROM pairs GROUP BY ROLLUP (edit_distance(a, b), b)",
                "SELECT edit_distance(a, b), b, count(*) FROM pairs GROUP BY CUBE (edit_distance(a, b), b)",
                "SELECT count(DISTINCT edit_distance(a, b)), sum(DISTINCT edit_distance(b, 'x')) FROM pairs",
                "SELECT DISTINCT edit_distance(a, b), length(a) FROM pairs",
                "SELECT id, edit_distance(a, b) FROM pairs ORDER BY edit_distance(a, b) DESC NULLS LAST, id",
                "SELECT b, count(*) FROM pairs GROUP BY b, edit_distance(a, b) ORDER BY edit_distance(a, b), b",
                "SELECT id, rank() OVER (PARTITION BY edit_distance(a, b) ORDER BY edit_distance(b, 'x'), id) FROM "
                        + "pairs",
                "SELECT x.id, y.id FROM pairs x JOIN pairs y ON edit_distance(x.a, x.b) = edit_distance(y.b, y.a) + 1",
                "SELECT id FROM pairs WHERE edit_distance(a, b) IN (SELECT edit_distance(b, a) FROM pairs WHERE id "
                        + "< 9)",
                "SELECT * FROM (SELECT b, edit_distance(a, b) d FROM pairs) PIVOT (count(*) FOR d IN (1, 2, 3))",
                "SELECT transform(array(a, b), x -> edit_distance(x, b)) FROM pairs",
                "SELECT d, count(*) FROM distances WHERE d > 1 GROUP BY d",
                "SELECT edit_distance(a, b), count(d) FROM distances WHERE edit_distance(a, b) = d GROUP BY 1",
                "SELECT id, (SELECT max(edit_distance(a, b)) FROM pairs) - edit_distance(a, b) FROM pairs"
            })
    void sameAsBuiltIn(String query) {
        List<Row> expected = expected(query.replace("edit_distance", "levenshtein")
                .replace("distances", "(SELECT *, levenshtein(a, b) AS d FROM pairs)"));
        for (boolean adaptive : new boolean[] {true, false}) {
            spark.conf().set("spark.sql.adaptive.enabled", adaptive);
            try {
                List<Row> rows = spark.sql(query).collectAsList();
                assertThat(rows).isNotEmpty();
                if (query.contains("ORDER BY edit") && !query.contains("OVER")) {
                    assertThat(rows).containsExactlyElementsOf(expected);
                } else {
                    assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
                }
            } finally {
                spark.conf().unset("spark.sql.adaptive.enabled");
            }
        }
    }

    @Test
    void groupsOfADataset() {
        Dataset<Row> groups = spark.table("pairs")
                .groupBy(functions.call_function("edit_distance", functions.col("a"), functions.col("b")))
                .count();

        assertThat(groups.columns()).containsExactly("edit_distance(a, b)", "count");
        assertThat(groups.agg(functions.sum("count")).first().getLong(0)).isEqualTo(300);
    }

    @Test
    void cacheIsFoundAgain() {
        String query = "SELECT b, edit_distance(a, b) AS d, " + ALIGNMENT + ".cigar FROM pairs WHERE b > 's'";
        Dataset<Row> cached = spark.sql(query).cache();
        try {
            assertThat(plan(spark.sql(query))).contains("InMemoryTableScan");
            assertThat(plan(spark.sql(query).groupBy("d").count())).contains("InMemoryTableScan");
            // the query with a different strategy must run, because a user may want to compare strategies
            withStrategy("edit_distance", "serial", () -> assertThat(plan(spark.sql(query)))
                    .doesNotContain("InMemoryTableScan"));
            assertThat(plan(spark.sql(query.replace("edit_distance", "lcs_length"))))
                    .doesNotContain("InMemoryTableScan");
        } finally {
            cached.unpersist();
        }
    }

    @Test
    void exchangeIsReused() {
        String groups = "(SELECT edit_distance(a, b) AS d, count(*) AS n FROM pairs GROUP BY edit_distance(a, b))";
        for (boolean adaptive : new boolean[] {true, false}) {
            spark.conf().set("spark.sql.adaptive.enabled", adaptive);
            Dataset<Row> query =
                    spark.sql("SELECT x.d, x.n + y.n FROM %1$s x JOIN %1$s y ON x.d = y.d".formatted(groups));
            assertThat(query.collectAsList()).hasSizeGreaterThan(3);
            assertThat(plan(query)).contains("ReusedExchange");
        }
        spark.conf().unset("spark.sql.adaptive.enabled");
    }

    /** Returns the number of calls that a query makes for the rows of {@code pairs} without NULL. */
    private static long calls(String query) {
        LongAccumulator calls = spark.sparkContext().longAccumulator();
        SparkSession session = spark.newSession();
        BellmanFunctions.register(session, new FunctionOptions(OnInvalid.FAIL, cells -> calls.add(1)));
        instances(session).where("a IS NOT NULL").createOrReplaceTempView("pairs");
        session.sql(query).collectAsList();
        return calls.value();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT " + ALIGNMENT + ".score, " + ALIGNMENT + ".cigar, " + ALIGNMENT + ".end_a FROM pairs",
                "SELECT edit_distance(a, b) + 1, edit_distance(a, b) * 2 FROM pairs",
                "SELECT d + 1, d * 2 FROM (SELECT edit_distance(a, b) AS d FROM pairs)",
                "SELECT max(edit_distance(a, b)), min(edit_distance(a, b)), avg(edit_distance(a, b)) FROM pairs"
            })
    void commonCallsRunOnce(String query) {
        assertThat(calls(query)).isEqualTo(300 - 28);
    }

    @Test
    void pushedThroughViews() {
        spark.sql("CREATE OR REPLACE TEMPORARY VIEW far AS SELECT id, b, d FROM distances WHERE id < 250");
        Dataset<Row> query = spark.sql("SELECT id, d FROM far WHERE d >= 4 AND b LIKE 's%'");

        String optimized = query.queryExecution().optimizedPlan().toString();
        assertThat(optimized.indexOf("Filter")).isGreaterThan(optimized.indexOf("Project"));
        assertThat(optimized).containsOnlyOnce("Filter");
        assertThat(query.collectAsList())
                .containsExactlyElementsOf(spark.sql("SELECT id, levenshtein(a, b) FROM pairs"
                                + " WHERE id < 250 AND levenshtein(a, b) >= 4 AND b LIKE 's%'")
                        .collectAsList());
    }

    /** Except for the numbers of columns and plans, the text of a plan does not change from run to run. */
    @Test
    void explained() {
        String query = "SELECT edit_distance(a, b), count(*) FROM pairs WHERE lcs_length(a, 'kit') > 1 GROUP BY 1";
        List<String> texts = List.of(explained(spark, query), explained(spark, query));

        assertThat(texts.get(0)).contains("edit_distance(a, b)", "lcs_length(a, kit)");
        assertThat(texts.get(1)).isEqualTo(texts.get(0));
        SparkSession other = spark.newSession();
        instances(other).createOrReplaceTempView("pairs");
        assertThat(explained(other, query)).isEqualTo(texts.get(0));
    }

    private static String explained(SparkSession session, String query) {
        return session.sql(query)
                .queryExecution()
                .explainString(ExplainMode.fromString("extended"))
                .replaceAll("(#|plan_id=)\\d+L?", "");
    }

    @Test
    void streamed(@TempDir Path folder) throws TimeoutException, StreamingQueryException {
        String files = folder.resolve("pairs").toString();
        instances(spark).write().parquet(files);
        Dataset<Row> distances = spark.readStream()
                .schema(instances(spark).schema())
                .option("maxFilesPerTrigger", 1)
                .parquet(files)
                .selectExpr("id", "edit_distance(a, b) AS d", "edit_distance('kitten', 'sitting') AS three");
        StreamingQuery query = distances
                .writeStream()
                .format("memory")
                .queryName("streamed")
                .trigger(Trigger.AvailableNow())
                .start();
        query.awaitTermination();

        assertThat(query.recentProgress()).hasSize(3);
        assertThat(spark.sql("SELECT * FROM streamed ORDER BY id").collectAsList())
                .isEqualTo(expected("SELECT id, levenshtein(a, b), 3 FROM pairs ORDER BY id"));
    }

    @Test
    void observed() throws InterruptedException {
        Observation observation = new Observation("distances");
        spark.table("pairs")
                .observe(
                        observation,
                        functions.expr("max(edit_distance(a, b))").as("most"),
                        functions.expr("count(edit_distance(a, b))").as("rows"))
                .collectAsList();

        Map<String, Object> seen = observation.getAsJava();
        assertThat(seen).containsEntry("most", 6).containsEntry("rows", 272L);
    }
}
