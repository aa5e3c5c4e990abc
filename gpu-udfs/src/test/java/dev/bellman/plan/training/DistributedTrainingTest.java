package dev.bellman.plan.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuSide;
import dev.bellman.SparkTest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;

class DistributedTrainingTest extends SparkTest {
    /** Tasks that train a model outside a query use the session's limit on GPU memory. */
    @Test
    void limitOnGpuMemory() throws Exception {
        SparkContext context = spark.sparkContext();
        List<String> limits = new CopyOnWriteArrayList<>();
        SparkListener listener = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart start) {
                limits.add(start.properties().getProperty(GpuSide.MEMORY, "none"));
            }
        };
        JavaRDD<InternalRow> rows = spark.sql("SELECT array(id % 2, 0L) FROM range(9)")
                .queryExecution()
                .toRdd()
                .toJavaRDD();
        TrainingGoal goal = new TrainingGoal(2, 1, Double.NEGATIVE_INFINITY, 1, 1e-3);
        try (DistributedTraining<?> training = DistributedTraining.of(new SymbolSequences(), rows, false)) {
            TrainedModel start = training.first(goal);
            spark.conf().set(GpuSide.MEMORY, "3m");
            context.addSparkListener(listener);
            training.next(start, goal);
            spark.conf().unset(GpuSide.MEMORY);
            training.next(start, goal);
            context.listenerBus().waitUntilEmpty();
        } finally {
            spark.conf().unset(GpuSide.MEMORY);
            context.removeSparkListener(listener);
        }

        assertThat(limits).containsExactly("3m", "none");
    }
}
