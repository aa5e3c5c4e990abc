package dev.bellman.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.function.Bellman;
import dev.bellman.job.LocalSpark;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class EngineCheckTest {
    /** Tests functions after a shuffle, whose operators adaptive execution hides in stages. */
    @Test
    void functionsOnTheCpu() {
        SparkSession spark = LocalSpark.session().newSession();
        Bellman.register(spark);
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
                .hasMessageContaining("[BELLMAN_GPU_REQUIRED] "
                        + LocalSpark.noGpu("engine is gpu, but edit_distance ran on the CPU"));
    }

    /** The query would fail if it ran, but it is refused because of its plan, even with adaptive execution. */
    @Test
    void refusedBeforeAnythingIsComputed() {
        SparkSession spark = LocalSpark.session().newSession();
        Bellman.register(spark);

        assertThatThrownBy(() -> EngineCheck.requireGpuPlan(
                        spark,
                        List.of("edit_distance"),
                        () -> behindAShuffle(spark, "edit_distance(raise_error('computed'), 'x')")))
                .hasMessageContaining("[BELLMAN_GPU_REQUIRED] "
                        + LocalSpark.noGpu("engine is gpu, but edit_distance would run on the CPU; use engine: auto"))
                .hasMessageContaining(LocalSpark.noGpu("RAPIDS' explanation:"));
        assertThat(spark.conf().get("spark.sql.adaptive.enabled")).isEqualTo("true");
    }

    /** RAPIDS' explanation does not mention that a kernel requires constants. */
    @Test
    void constants() {
        SparkSession spark = LocalSpark.session().newSession();
        Bellman.register(spark);

        assertThatThrownBy(() -> EngineCheck.requireGpuPlan(
                        spark,
                        List.of("try_word_break"),
                        () -> behindAShuffle(spark, "try_word_break(string(id), array(string(id)))")))
                .hasMessageContaining(LocalSpark.noGpu("use engine: auto to allow this. On GPUs, these arguments of "
                        + "try_word_break must be constant: words, weights. RAPIDS' explanation:"));
    }

    /** RAPIDS shows a function on the GPU with a prefix before its name. */
    @Test
    void acceptedBeforeAnythingIsComputed() {
        SparkSession spark = LocalSpark.session().newSession();
        spark.udf().register("gpu_edit_distance", (UDF2<String, String, Integer>) (a, b) -> 0, DataTypes.IntegerType);

        assertThatCode(() -> EngineCheck.requireGpuPlan(
                        spark,
                        List.of("edit_distance"),
                        () -> behindAShuffle(spark, "gpu_edit_distance(raise_error('computed'), 'x')")))
                .doesNotThrowAnyException();
    }

    private static Dataset<Row> behindAShuffle(SparkSession spark, String expression) {
        return spark.range(9)
                .repartition(3)
                .selectExpr(expression + " AS distance")
                .groupBy("distance")
                .count();
    }
}
