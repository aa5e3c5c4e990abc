package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class BellmanFunctionsTest extends SparkTest {
    /**
     * Every example in the catalogue is correct, even if it runs in tasks instead of being folded to a constant on the
     * driver.
     */
    @Test
    void examples() {
        spark.conf().set("spark.sql.optimizer.excludedRules", Examples.FOLDING);
        try {
            Dataset<Row> query = Examples.query(spark);
            assertThat(plan(query)).contains("edit_distance(");
            Examples.areTrue(query);
        } finally {
            spark.conf().unset("spark.sql.optimizer.excludedRules");
        }
    }

    /** Tests functions that the extension adds, and functions that a call registers. */
    @Test
    void describe() {
        for (SparkSession session : List.of(spark, spark.newSession())) {
            if (session != spark) {
                Bellman.register(session);
            }
            assertThat(session.sql("DESCRIBE FUNCTION edit_distance")
                            .collectAsList()
                            .toString())
                    .contains("edit_distance(a, b, max = no limit) - Returns the Levenshtein distance");
        }
    }
}
