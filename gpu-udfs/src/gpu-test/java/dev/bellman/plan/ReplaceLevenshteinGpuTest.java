package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class ReplaceLevenshteinGpuTest extends GpuTest {
    /** A query that RAPIDS would leave to the CPU runs on the GPU, with the same results. */
    @Test
    void runsOnTheGpu() {
        SparkSession spark = spark().newSession();
        spark.range(100_000)
                .selectExpr(
                        "id",
                        "if(id % 41 = 0, NULL, substr(sha2(string(id), 256), 1, int(id % 9))) AS x",
                        "substr(md5(string(id)), 1, 12) AS y",
                        "int(id % 15) - 3 AS most")
                .createOrReplaceTempView("instances");
        String query =
                "SELECT id, levenshtein(x, y), levenshtein(x, y, 9), levenshtein(x, y, most) FROM instances ORDER "
                        + "BY id";
        List<Row> expected = spark.sql(query).collectAsList();
        spark.conf().set(ReplaceLevenshtein.KEY, true);
        spark.conf().set("spark.sql.adaptive.enabled", false);
        var replaced = spark.sql(query);

        assertThat(replaced.queryExecution().executedPlan().toString()).contains("gpu_edit_distance(");
        assertThat(replaced.collectAsList()).isEqualTo(expected);
    }
}
