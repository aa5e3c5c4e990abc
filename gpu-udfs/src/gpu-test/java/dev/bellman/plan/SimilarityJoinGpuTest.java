package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import dev.bellman.align.TestPairs;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins on edit distance find the same pairs on the GPU as on the CPU. */
class SimilarityJoinGpuTest extends GpuTest {
    private static Dataset<Row> strings(Random random, String alphabet, int count, int longest) {
        List<Row> rows = new ArrayList<>();
        String centre = "";
        for (int i = 0; i < count; i++) {
            if (i % 3 == 0) {
                centre = TestPairs.random(random, alphabet, random.nextInt(longest + 1));
            }
            String string = TestPairs.mutate(random, alphabet, centre, 0.1);
            rows.add(RowFactory.create(
                    i,
                    random.nextInt(50) == 0 ? null : string.substring(0, Math.min(longest, string.length())),
                    random.nextInt(3)));
        }
        return rows(
                new StructType()
                        .add("id", DataTypes.IntegerType)
                        .add("s", DataTypes.StringType)
                        .add("n", DataTypes.IntegerType),
                3,
                rows);
    }

    private static List<String> lines(String query) {
        return spark().sql(query).collectAsList().stream()
                .map(Row::toString)
                .sorted()
                .toList();
    }

    private static void assertSameAsOnCpu(String query) {
        assertSameAsOnCpu(query, "deletion");
    }

    private static void assertSameAsOnCpu(String query, String method) {
        Dataset<Row> onGpu = spark().sql(query);
        List<String> actual =
                onGpu.collectAsList().stream().map(Row::toString).sorted().toList();
        assertThat(onGpu.queryExecution().executedPlan().toString()).contains("method=" + method + " on the GPU");
        assertThat(actual)
                .as(query)
                .isEqualTo(withConf("spark.rapids.sql.enabled", "false", () -> lines(query)))
                .isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ACGT,20,1", "ACGT,20,2", "ACGT,20,3", "ab,24,2", "abcdefghijklmnopqrstuvwxyz,30,2", "ACGT,63,1"})
    void sameAsOnCpu(String alphabet, int longest, int k) {
        Random random = new Random(k);
        strings(random, alphabet, 12_000, longest).createOrReplaceTempView("gpu_l");
        strings(random, alphabet, 5_000, longest)
                .union(spark().table("gpu_l").where("id < 3000"))
                .createOrReplaceTempView("gpu_r");
        assertSameAsOnCpu(
                "SELECT a.id, b.id FROM gpu_l a JOIN gpu_l b ON a.id < b.id AND edit_distance(a.s, b.s) <= " + k);
        assertSameAsOnCpu(
                "SELECT l.id, r.id FROM gpu_l l LEFT JOIN gpu_r r ON l.n = r.n AND edit_distance(l.s, r.s) <= " + k);
    }

    @ParameterizedTest
    @CsvSource({"jaro_winkler_similarity, 0.92", "jaro_winkler_similarity, 0.8", "jaro_similarity, 0.85", "ratio, 80"})
    void similarities(String function, String least) {
        strings(new Random(7), "abcdefghijklmnopqrstuvwxyz ", 20_000, 30).createOrReplaceTempView("gpu_names");
        assertSameAsOnCpu(
                "SELECT a.id, b.id FROM gpu_names a JOIN gpu_names b ON a.id < b.id AND a.n = b.n"
                        + " AND %s(a.s, b.s) >= %s".formatted(function, least),
                "plain");
    }

    /** There are so many strings that several tasks share them on the GPU. */
    @Test
    void manyTasks() {
        spark().range(400_000)
                .selectExpr(
                        "id",
                        "substring(translate(md5(cast(id AS STRING)), '0123456789abcdef', 'ACGTACGTACGTACGT'), 1, "
                                + "11) AS s")
                .createOrReplaceTempView("gpu_many");
        assertSameAsOnCpu("SELECT count(*), sum(hash(a.id, b.id)) FROM gpu_many a JOIN gpu_many b"
                + " ON a.id < b.id AND edit_distance(a.s, b.s) <= 1");
    }

    /** The columns of rows are read from RAPIDS' memory in all widths, with and without NULLs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "if(id % 3 = 0, NULL, cast(id - 6000 AS DECIMAL(7, 2))), cast(id - 6000 AS DECIMAL(15, 3)), -id",
                "if(id % 5 = 0, NULL, cast(6000 - id AS INT)), cast(id - 6000 AS SMALLINT), id / 7 - 800",
                "if(id % 7 = 0, NULL, cast(id % 256 - 128 AS TINYINT)), if(id % 4 = 0, NULL, id % 2 = 0), id > 9",
                "cast(id / 7 - 800 AS FLOAT), date_add(DATE'1960-01-01', cast(id AS INT)), timestamp_seconds(-id)"
            })
    void columnsOfRows(String columns) {
        spark().sql("SELECT id, substring(translate(md5(cast(id AS STRING)), '0123456789abcdef', 'ACGTACGTACGTACGT'), "
                        + "1, 8), %s FROM range(12000)".formatted(columns))
                .toDF("id", "s", "x", "y", "z")
                .createOrReplaceTempView("gpu_columns");
        assertSameAsOnCpu(
                "SELECT * FROM gpu_columns a JOIN gpu_columns b ON a.id < b.id AND edit_distance(a.s, b.s) <= 1");
        assertSameAsOnCpu("SELECT * FROM gpu_columns a JOIN (SELECT * FROM gpu_columns WHERE id % 3 > 0) b"
                + " ON edit_distance(a.s, b.s) <= 1");
    }

    /** If host memory is short, RAPIDS copies a batch of rows again. */
    @Test
    void withRetries() {
        strings(new Random(8), "ACGT", 12_000, 20).createOrReplaceTempView("gpu_retries");
        withConf("spark.rapids.sql.test.injectRetryOOM", "num_ooms=1,skip=0,type=CPU", () -> {
            assertSameAsOnCpu("SELECT a.id, b.id FROM gpu_retries a JOIN gpu_retries b"
                    + " ON a.id < b.id AND edit_distance(a.s, b.s) <= 1");
            return null;
        });
    }

    @Test
    void switchedOff() {
        strings(new Random(6), "ACGT", 6_000, 20).createOrReplaceTempView("gpu_off");
        String plan = withConf(SimilarityJoin.GPU, "false", () -> {
            Dataset<Row> joined = spark().sql(
                            "SELECT a.id FROM gpu_off a JOIN gpu_off b ON a.id < b.id AND edit_distance(a.s, b.s) "
                                    + "<= 1");
            joined.collectAsList();
            return joined.queryExecution().executedPlan().toString();
        });
        assertThat(plan).contains("method=").doesNotContain("on the GPU");
    }

    /** The strings are not ASCII, so the CPU runs the join. */
    @Test
    void whatTheGpuLeavesAlone() {
        strings(new Random(5), TestPairs.MIXED, 6_000, 20).createOrReplaceTempView("gpu_wide");
        Dataset<Row> joined = spark().sql("SELECT a.id FROM gpu_wide a LEFT SEMI JOIN gpu_wide b ON a.id < b.id AND "
                + "edit_distance(a.s, b.s) <= 1");
        assertThat(joined.collectAsList()).isNotEmpty();
        assertThat(joined.queryExecution().executedPlan().toString())
                .contains("SimilarStrings")
                .doesNotContain("on the GPU");
    }
}
