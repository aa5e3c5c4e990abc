package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A comparison of {@code dtw} with a number limits the computation of the distance. */
class WarpingLimitTest extends SparkTest {
    /** Matches a call with a limit, which a power may follow. */
    private static final String LIMITED = "dtw\\(.*(, |max => )-?\\d+\\.\\d(, (power => )?\\d)?\\)";

    /** Creates series of whole numbers, so that many distances equal a limit; some series are NULL. */
    @BeforeAll
    static void series() {
        // Catalyst validates the plan after each rule
        spark.conf().set("spark.sql.planChangeValidation", true);
        spark.sql("""
                SELECT id, IF(id % 11 = 0, NULL, transform(sequence(0, id % 7), i -> double(xxhash64(id, i) % 4))) AS s
                FROM range(60)
                """).createOrReplaceTempView("series");
    }

    private static String optimized(Dataset<Row> query) {
        return query.queryExecution().optimizedPlan().toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dtw(l.s, r.s, 2) <= 3",
                "dtw(l.s, r.s) < 3",
                "dtw(l.s, r.s, 1) > 2.5",
                "4 <= dtw(l.s, r.s)",
                "dtw(l.s, r.s, 3) < -1",
                "try_dtw(l.s, r.s, int(l.id) - 3) <= 2",
                "dtw(l.s, r.s, power => 1) <= 3",
                "dtw(l.s, r.s, power => 2) < 3",
                "try_dtw(l.s, r.s, power => 1, band => 1) <= 4",
                "5 > dtw(l.s, r.s, max => double('infinity'), power => 1)",
                "dtw(l.s, r.s, 2, double('infinity'), 1) <= 3",
                "dtw(transform(l.s, x -> array(x, x * x)), transform(r.s, x -> array(x, x))) <= 5"
            })
    void joins(String condition) {
        String query = "SELECT l.id, r.id AS other FROM series l JOIN series r ON %s ORDER BY 1, 2";
        Dataset<Row> limited = spark.sql(query.formatted(condition));
        assertThat(optimized(limited)).containsPattern(LIMITED);
        // adding 0 hides the call, so that the comparison does not limit it
        String plain = condition.replaceFirst("(try_)?dtw\\(.*\\)(?= [<>])|(?<=[=>] )dtw\\(.*\\)", "($0 + 0D)");
        Dataset<Row> full = spark.sql(query.formatted(plain));
        assertThat(optimized(full)).doesNotContainPattern(LIMITED);
        assertThat(limited.collectAsList()).isEqualTo(full.collectAsList());
    }

    @Test
    void whatStaysAsItIs() {
        for (String condition : List.of(
                "dtw(l.s, r.s) <= double('nan')",
                "dtw(l.s, r.s, 0) <= double('infinity')",
                "dtw(l.s, r.s, 0) >= double('infinity')",
                "dtw(l.s, r.s) = 2",
                "dtw(l.s, r.s, 2, 4D) <= 3",
                "dtw(l.s, r.s, 2, 4D, 1) <= 3",
                "dtw(l.s, r.s, 2, double(l.id), 1) <= 3",
                "dtw(l.s, r.s) <= l.id")) {
            Dataset<Row> query = spark.sql("SELECT l.id FROM series l JOIN series r ON %s".formatted(condition));
            assertThat(optimized(query)).doesNotContain("2147483647").doesNotContain("4.0, 3.0");
        }
        assertThat(spark.sql("SELECT l.id FROM series l JOIN series r ON dtw(l.s, r.s) <= double('nan')")
                        .count())
                .isEqualTo(54L * 54);
    }
}
