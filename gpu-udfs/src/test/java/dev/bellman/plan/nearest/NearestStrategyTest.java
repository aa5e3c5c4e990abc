package dev.bellman.plan.nearest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the nearest series of each group, computed with limited calls and with unlimited calls. */
class NearestStrategyTest extends SparkTest {
    private static final String NEAREST = """
            SELECT * FROM (
              SELECT *, %2$s OVER (PARTITION BY %3$s ORDER BY d, t) AS place FROM (
                SELECT q.id AS q, t.id AS t, q.s AS a, %1$s AS d FROM series q JOIN series t ON q.id <> t.id))
            WHERE place <= %4$d ORDER BY q, t""";

    /** Creates series of whole numbers, whose distances often tie; some series are NULL. */
    @BeforeAll
    static void series(@TempDir Path folder) {
        spark.conf().set("spark.sql.planChangeValidation", true);
        spark.sql("""
                SELECT id, IF(id % 11 = 0, NULL, transform(sequence(0, id % 7), i -> double(xxhash64(id, i) % 4))) AS s
                FROM range(70)
                """).write().parquet(folder.resolve("series").toString());
        spark.read().parquet(folder.resolve("series").toString()).cache().createOrReplaceTempView("series");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dtw(q.s, t.s) | row_number() | q | 3",
                "dtw(q.s, t.s, 1, 99D, 1) | rank() | a | 4",
                "dtw(q.s, t.s, 2, IF(t.id % 5 = 0, NULL, t.id / 9D)) | row_number() | q | 3",
                "dtw(transform(q.s, x -> array(x, -x)), transform(t.s, x -> array(x, 1))) | row_number() | q | 2",
                "dtw(q.s, t.s, int(t.id % 3)) | row_number() | q % 4, t % 3 | 2",
                "dtw(q.s, t.s) | row_number() | IF(q % 2 = 0, NULL, q) | 3",
                "dtw(transform(q.s, x -> x * 1e200), t.s) | row_number() | q | 6",
                "dtw(q.s, t.s) | row_number() | q | 200"
            })
    void nearest(String call, String rank, String group, int count) {
        Dataset<Row> limited = spark.sql(NEAREST.formatted(call, rank, group, count));
        assertThat(plan(limited)).contains("may_be_nearest(" + count).contains("nearest_limit(" + count);
        Dataset<Row> full = spark.sql(NEAREST.formatted(call + " + 0D", rank, group, count));
        assertThat(plan(full)).doesNotContain("nearest");
        assertThat(limited.collectAsList()).hasSizeGreaterThan(10).isEqualTo(full.collectAsList());
    }

    /** The window computes the distance, and the query also returns it, with a single call. */
    @Test
    void oneCall() {
        String query = """
                SELECT * FROM (
                  SELECT q.id AS q, t.id AS t, %1$s AS d, sqrt(%1$s) AS root,
                    row_number() OVER (PARTITION BY q.id ORDER BY %1$s, t.id) AS place
                  FROM series q CROSS JOIN series t)
                WHERE place <= 2 ORDER BY q, t""";
        Dataset<Row> limited = spark.sql(query.formatted("dtw(q.s, t.s)"));
        assertThat(plan(limited)).containsOnlyOnce("dtw(").contains("may_be_nearest(2");
        assertThat(limited.collectAsList())
                .isEqualTo(spark.sql(query.formatted("(dtw(q.s, t.s) + 0D)")).collectAsList());
    }

    /** Tests conditions on the distance that the nearest rows fulfil if any rows do. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "q | d IS NOT NULL",
                "t | d < 4",
                "q | d <= 3 AND d >= 0",
                "t | d < double('infinity') AND number >= 0"
            })
    void conditions(String side, String condition) {
        String query = """
                SELECT * FROM (
                  SELECT *, row_number() OVER (PARTITION BY q ORDER BY d, t) AS place FROM (
                    SELECT *, monotonically_increasing_id() AS number FROM (
                      SELECT /*+ BROADCAST(%2$s) */ q.id AS q, t.id AS t, %1$s AS d
                      FROM series q CROSS JOIN series t))
                  WHERE %3$s)
                WHERE place <= 3 ORDER BY q, t""";
        Dataset<Row> limited = spark.sql(query.formatted("dtw(q.s, t.s, 2)", side, condition));
        assertThat(plan(limited)).contains("may_be_nearest(3");
        assertThat(limited.drop("number").collectAsList())
                .hasSizeGreaterThan(50)
                .isEqualTo(spark.sql(query.formatted("dtw(q.s, t.s, 2) + 0D", side, condition))
                        .drop("number")
                        .collectAsList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dtw(q.s, t.s) | row_number() | d DESC, t | true",
                "dtw(q.s, t.s) | row_number() | t, d | true",
                "dtw(q.s, t.s) | dense_rank() | d, t | true",
                "try_dtw(q.s, t.s, int(t.id) - 3) | row_number() | d, t | true",
                "-dtw(q.s, t.s) | row_number() | d, t | true",
                "dtw(q.s, t.s) | row_number() | d, t | number >= 0 AND d >= 2",
                "dtw(q.s, t.s) | row_number() | d, t | number >= 0 AND d + t > 9",
                "dtw(q.s, t.s) | row_number() | d, t | t <> 3 AND d <= 5",
                "frechet_distance(q.s, t.s) | row_number() | d, t | true"
            })
    void otherWindows(String call, String rank, String order, String condition) {
        String plan = plan(spark.sql("""
                SELECT * FROM (
                  SELECT *, %2$s OVER (PARTITION BY q ORDER BY %3$s) AS place FROM (
                    SELECT *, monotonically_increasing_id() AS number FROM (
                      SELECT q.id AS q, t.id AS t, %1$s AS d FROM series q CROSS JOIN series t))
                  WHERE %4$s)
                WHERE place <= 2""".formatted(call, rank, order, condition)));
        assertThat(plan).contains(rank.replace("()", "")).doesNotContain("nearest");
    }
}
