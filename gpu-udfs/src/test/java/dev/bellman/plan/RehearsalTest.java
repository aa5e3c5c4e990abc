package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.bellman.SparkTest;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RehearsalTest extends SparkTest {
    /** The thread that runs the rehearsal ignores exceptions, so they would go unnoticed. */
    @Test
    void succeeds() {
        assertThatCode(Rehearsal::run).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void beginsWhenTheJoinStarts(boolean adaptive) throws Exception {
        spark.conf().set("spark.sql.adaptive.enabled", adaptive);
        AtomicInteger begun = new AtomicInteger();
        Rehearsal.onStart(spark.sparkContext(), begun::incrementAndGet);
        spark.range(300).selectExpr("id", "md5(string(id)) AS s").createOrReplaceTempView("rehearsed");
        String query = "SELECT count(*) FROM rehearsed a JOIN rehearsed b ON edit_distance(a.s, b.s) <= 1";
        assertThat(spark.sql("EXPLAIN " + query).head().getString(0)).contains("SimilarStrings");
        spark.sql("SELECT count(*) FROM rehearsed").collectAsList();
        spark.sparkContext().listenerBus().waitUntilEmpty();
        assertThat(begun).hasValue(0);
        for (int i = 0; i < 2; i++) {
            assertThat(spark.sql(query).head().getLong(0)).isEqualTo(300);
            spark.sparkContext().listenerBus().waitUntilEmpty();
            assertThat(begun).hasValue(1);
        }
        spark.conf().unset("spark.sql.adaptive.enabled");
    }
}
