package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.function.BellmanFunctions;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class EngineCheckTest {
    /** Behind a shuffle, where adaptive execution hides the operators in stages. */
    @Test
    void functionsOnTheCpu() {
        SparkSession spark = LocalSpark.session().newSession();
        BellmanFunctions.register(spark);
        Dataset<Row> distances = spark.range(9)
                .repartition(3)
                .selectExpr("edit_distance(string(id), 'x') AS distance")
                .groupBy("distance")
                .count();
        distances.collectAsList();
        EngineCheck check =
                new EngineCheck(new FinalPlan(distances.queryExecution().executedPlan()));

        assertThat(check.engines(List.of("edit_distance"))).isEqualTo(Map.of("edit_distance", Engine.CPU));
        assertThatThrownBy(() -> check.requireGpu(List.of("edit_distance"), distances))
                .hasMessageContaining("[BELLMAN_GPU_REQUIRED] engine is gpu, but edit_distance ran on the CPU");
    }
}
