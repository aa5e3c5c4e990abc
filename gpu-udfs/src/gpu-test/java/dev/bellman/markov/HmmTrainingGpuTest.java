package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import dev.bellman.plan.training.DistributedTraining;
import dev.bellman.plan.training.SequenceType;
import dev.bellman.plan.training.TrainedModel;
import dev.bellman.plan.training.TrainingGoal;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trains models on all rows of a table, whose sequences contain symbols, numbers or points. */
class HmmTrainingGpuTest extends GpuTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CAST(pmod(hash(id * 31 + i), IF(id % 3 = 0, 4, 3)) AS BIGINT)",
                "CAST(hash(id * 31 + i) % 1000 AS DOUBLE)",
                "array(i / 7.0D, id % 5 + 0.25D * i)"
            })
    void equalsTheCpu(String entry) {
        spark().sql("""
                        SELECT transform(sequence(0, 20 + pmod(hash(id), 100)), i -> %s) AS steps
                        FROM range(0, 30000, 1, 4)""".formatted(entry)).createOrReplaceTempView("gpu_sequences");
        TrainedModel[] models = {trained(false), trained(true)};
        assertThat(models[1].logProbabilities()).isEqualTo(models[0].logProbabilities());
        assertThat(models[1].model().start()).isEqualTo(models[0].model().start());
        assertThat(models[1].model().transitions())
                .isDeepEqualTo(models[0].model().transitions());
        assertThat(models[1].model().emissions())
                .isDeepEqualTo(models[0].model().emissions());
        String query =
                "SELECT log_probabilities FROM hidden_markov_training(TABLE(gpu_sequences), 'steps', 8, 3, seed => 5)";
        assertThat(spark().sql(query).head().getList(0))
                .isEqualTo(DoubleStream.of(models[0].logProbabilities()).boxed().toList());
    }

    private static TrainedModel trained(boolean onGpu) {
        TrainingGoal goal = new TrainingGoal(8, 3, Double.NEGATIVE_INFINITY, 5, 1e-3);
        JavaRDD<InternalRow> rows =
                spark().table("gpu_sequences").queryExecution().toRdd().toJavaRDD();
        var type = spark().table("gpu_sequences").schema().apply("steps").dataType();
        try (DistributedTraining<?> training =
                DistributedTraining.of(SequenceType.of(type).orElseThrow(), rows, false)) {
            if (onGpu) {
                training.useGpu(8, Optional.empty(), true);
            }
            assertThat(training.isOnGpu()).isEqualTo(onGpu);
            TrainedModel model = training.first(goal);
            while (!goal.isReached(model.logProbabilities())) {
                model = training.next(model, goal);
            }
            return model;
        }
    }
}
