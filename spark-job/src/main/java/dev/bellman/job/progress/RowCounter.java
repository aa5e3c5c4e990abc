package dev.bellman.job.progress;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.execution.SparkPlanInfo;
import org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import scala.Tuple4;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Counts the rows that have reached the functions of the running query: the pairs of a join, the rows of scans in
 * queries without a join, or the numbers that tasks add to an accumulator. Running tasks report their counts with
 * heartbeats, finished tasks when they end.
 */
final class RowCounter extends SparkListener {
    private static final Pattern JOIN = Pattern.compile(".*(NestedLoopJoin|CartesianProduct).*");
    private static final Pattern SCAN = Pattern.compile("(Gpu)?(Batch)?Scan.*");
    private static final String ROWS = "number of output rows";
    private static final String GPU_ROWS = "output rows";

    /** The metrics that are counted. */
    private final Set<Long> metrics = new HashSet<>();
    /** The counts of finished tasks by metric, including metrics that a plan shows only later. */
    private final Map<Long, Long> done = new HashMap<>();

    private final Map<Long, Map<Long, Long>> running = new HashMap<>();
    private long tasks;
    private long tasksDone;
    /** Whether {@link #metrics} belong to plans. */
    private boolean ofPlans = true;

    /** The progress of the query. */
    record State(long rows, long tasks, long tasksDone) {}

    /** Resets to zero for a new query. */
    synchronized void reset() {
        ofPlans = true;
        metrics.clear();
        done.clear();
        running.clear();
        tasks = 0;
        tasksDone = 0;
    }

    /** Resets to zero, and then counts the numbers that tasks add to an accumulator. */
    synchronized void count(long accumulator) {
        reset();
        ofPlans = false;
        metrics.add(accumulator);
    }

    synchronized State state() {
        long rows = 0;
        for (long metric : metrics) {
            rows += done.getOrDefault(metric, 0L);
            for (Map<Long, Long> task : running.values()) {
                rows += task.getOrDefault(metric, 0L);
            }
        }
        return new State(rows, tasks, tasksDone);
    }

    @Override
    public void onOtherEvent(SparkListenerEvent event) {
        if (event instanceof SparkListenerSQLExecutionStart start) {
            look(start.sparkPlanInfo());
        } else if (event instanceof SparkListenerSQLAdaptiveExecutionUpdate update) {
            look(update.sparkPlanInfo());
        }
    }

    private synchronized void look(SparkPlanInfo plan) {
        if (!ofPlans) {
            return;
        }
        List<SparkPlanInfo> joins = new ArrayList<>();
        List<SparkPlanInfo> scans = new ArrayList<>();
        collect(plan, joins, scans);
        metrics.clear();
        for (SparkPlanInfo operator : joins.isEmpty() ? scans : joins) {
            CollectionConverters.asJava(operator.metrics()).stream()
                    .filter(metric ->
                            metric.name().equals(ROWS) || metric.name().equals(GPU_ROWS))
                    .forEach(metric -> metrics.add(metric.accumulatorId()));
        }
    }

    private static void collect(SparkPlanInfo operator, List<SparkPlanInfo> joins, List<SparkPlanInfo> scans) {
        if (JOIN.matcher(operator.nodeName()).matches()) {
            joins.add(operator);
        } else if (SCAN.matcher(operator.nodeName()).matches()) {
            scans.add(operator);
        }
        CollectionConverters.asJava(operator.children()).forEach(child -> collect(child, joins, scans));
    }

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
        tasks += stage.stageInfo().numTasks();
    }

    @Override
    public synchronized void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate update) {
        for (Tuple4<Object, Object, Object, scala.collection.immutable.Seq<AccumulableInfo>> task :
                CollectionConverters.asJava(update.accumUpdates())) {
            Map<Long, Long> counts = running.computeIfAbsent((Long) task._1(), id -> new HashMap<>());
            add(task._4(), counts, false);
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        running.remove(end.taskInfo().taskId());
        if (end.taskInfo().successful()) {
            tasksDone++;
            add(end.taskInfo().accumulables().toSeq(), done, true);
        }
    }

    private static void add(
            scala.collection.Seq<AccumulableInfo> updates, Map<Long, Long> counts, boolean toWhatIsThere) {
        for (AccumulableInfo update : CollectionConverters.asJava(updates)) {
            if (update.update().isDefined() && update.update().get() instanceof Long count) {
                counts.merge(update.id(), count, (before, now) -> toWhatIsThere ? before + now : now);
            }
        }
    }
}
