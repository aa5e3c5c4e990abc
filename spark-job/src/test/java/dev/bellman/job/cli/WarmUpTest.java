package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.LocalSpark;
import dev.bellman.job.report.Timeline;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpTest {
    private final SparkSession spark = (SparkSession) LocalSpark.session();

    /**
     * The first query runs a task for each GPU. If no rule were excluded, the driver would compute the query. Only for
     * joins does the second query shuffle.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void queriesRunOnEveryExecutor(boolean shuffles) throws Exception {
        List<Integer> tasks = new CopyOnWriteArrayList<>();
        List<String> plans = new CopyOnWriteArrayList<>();
        SparkListener listener = new SparkListener() {
            @Override
            public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
                if (Timeline.WARM_UP.equals(submitted.properties().getProperty("spark.job.description"))) {
                    tasks.add(submitted.stageInfo().numTasks());
                }
            }

            @Override
            public void onOtherEvent(SparkListenerEvent event) {
                if (event instanceof SparkListenerSQLExecutionStart start
                        && Timeline.WARM_UP.equals(start.description())) {
                    plans.add(start.physicalPlanDescription());
                }
            }
        };
        spark.sparkContext().addSparkListener(listener);
        WarmUp.gpuQueries(spark, 2, shuffles, () -> {}).join();
        spark.sparkContext().listenerBus().waitUntilEmpty();
        spark.sparkContext().removeSparkListener(listener);

        assertThat(tasks).hasSizeGreaterThanOrEqualTo(2).first().isEqualTo(2);
        assertThat(plans).hasSize(2).allMatch(plan -> plan.contains("edit_distance(a"));
        assertThat(plans.get(0)).contains("LocalTableScan").doesNotContain("ExternalRDD", "SerializeFromObject");
        assertThat(plans.get(1).contains("hashpartitioning(a#")).isEqualTo(shuffles);
        assertThat(plans.get(1).contains("xxhash64(a#")).isEqualTo(shuffles);
    }
}
