package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import dev.bellman.Thorough;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplaceLevenshteinTest extends SparkTest {
    private static final int ROWS = Thorough.rounds(5_000, 20_000);

    @BeforeEach
    void replace() {
        spark.conf().set(ReplaceLevenshtein.KEY, true);
    }

    @AfterEach
    void leave() {
        spark.conf().unset(ReplaceLevenshtein.KEY);
    }

    private static String optimized(Dataset<Row> query) {
        return query.queryExecution().optimizedPlan().toString();
    }

    /**
     * Returns random strings, many of which are equal, similar, empty, NULL or not valid UTF-8. The thresholds are
     * negative, nonnegative or NULL.
     */
    private static Dataset<Row> instances() {
        return spark.range(ROWS)
                .selectExpr(
                        "id",
                        "if(id % 41 = 0, NULL, substr(sha2(string(id), 256), 1, int(id % 9))) AS x",
                        "CASE id % 7 WHEN 0 THEN 'ab\u00e9\ud83d\ude00' WHEN 1 THEN "
                                + "CAST(unhex(substr(sha2(string(-id), 256), 1, 8)) AS STRING) WHEN 2 THEN "
                                + "substr(sha2(string(id), 256), 1, 4) WHEN 3 THEN '' ELSE substr(md5(string(id)), "
                                + "1, 12) END AS y",
                        "if(id % 37 = 0, NULL, int(id % 15) - 3) AS most");
    }

    @Test
    void sameResults() {
        String query = "SELECT id, levenshtein(x, y), levenshtein(x, y, 3), levenshtein(x, y, -1), levenshtein(x, y, "
                + "most), levenshtein(y, 'abc') + 1 FROM instances WHERE levenshtein(x, y) > 1 OR "
                + "levenshtein(x, y) IS NULL ORDER BY id";
        instances().createOrReplaceTempView("instances");
        Dataset<Row> replaced = spark.sql(query);

        assertThat(optimized(replaced)).contains("edit_distance(x").doesNotContain("levenshtein(x#");
        List<Row> rows = replaced.collectAsList();
        leave();
        assertThat(optimized(spark.sql(query))).contains("levenshtein(x#").doesNotContain("edit_distance");
        assertThat(rows).hasSizeGreaterThan(ROWS / 2).isEqualTo(spark.sql(query).collectAsList());
    }

    @Test
    void whereverItStands() {
        instances().createOrReplaceTempView("instances");
        Dataset<Row> query = spark.sql("""
                SELECT max(levenshtein(x, y)) OVER (PARTITION BY most), (SELECT min(levenshtein(x, 'a')) FROM instances)
                FROM instances i
                WHERE EXISTS (SELECT 1 FROM instances o WHERE o.id = i.id AND levenshtein(o.x, i.y) < 4)
                """);

        assertThat(optimized(query)).contains("edit_distance(").doesNotContain("levenshtein(x#", "levenshtein(y#");
        assertThat(query.queryExecution()
                        .explainString(org.apache.spark.sql.execution.ExplainMode.fromString("formatted")))
                .contains("edit_distance(x");
    }

    /** Column names do not change, and comparisons with other collations are left to Spark. */
    @Test
    void whatStaysAsItIs() {
        instances().createOrReplaceTempView("instances");
        assertThat(spark.sql("SELECT levenshtein(x, y) FROM instances").columns())
                .containsExactly("levenshtein(x, y)");
        for (String collation : List.of("UTF8_LCASE", "UNICODE", "UNICODE_CI")) {
            Dataset<Row> query =
                    spark.sql("SELECT levenshtein(x COLLATE %1$s, y COLLATE %1$s) FROM instances".formatted(collation));
            assertThat(optimized(query)).contains("levenshtein(").doesNotContain("edit_distance");
        }
        leave();
        spark.conf().set(ReplaceLevenshtein.KEY, "false");
        assertThat(optimized(spark.sql("SELECT levenshtein(x, y) FROM instances")))
                .doesNotContain("edit_distance");
    }
}
