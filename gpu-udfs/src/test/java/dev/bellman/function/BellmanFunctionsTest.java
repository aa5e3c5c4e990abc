package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import dev.bellman.entry.BellmanFunction;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class BellmanFunctionsTest extends SparkTest {
    /** Every example in the catalogue is correct. */
    @Test
    void examples() {
        for (BellmanFunction<?> function : Catalogue.functions()) {
            BellmanFunction.Example example = function.example();
            assertThat(spark.sql("SELECT CAST(" + example.expression() + " AS STRING)")
                            .first()
                            .getString(0))
                    .as(example.expression())
                    .isEqualTo(example.result());
        }
    }

    /** Both where the extension adds a function and where a call registers it. */
    @Test
    void describe() {
        for (SparkSession session : List.of(spark, spark.newSession())) {
            if (session != spark) {
                Bellman.register(session);
            }
            assertThat(session.sql("DESCRIBE FUNCTION edit_distance")
                            .collectAsList()
                            .toString())
                    .contains("edit_distance(a, b) or edit_distance(a, b, max) - The Levenshtein distance");
        }
    }
}
