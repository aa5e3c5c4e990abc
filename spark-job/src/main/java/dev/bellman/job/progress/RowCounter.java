package dev.bellman.job.progress;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.execution.SparkPlanInfo;
import org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;
import scala.Tuple4;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Counts the rows of the running query that have reached the functions. These rows are the pairs of a join, the rows
 * that an existing output lacks, the rows that leave an exchange before the functions or, if there is none of these,
 * the rows of scans. Alternatively, tasks can add to an accumulator. Tasks report their counts with each heartbeat
 * while they run, and once more when they end.
 */
final class RowCounter extends SparkListener {
    private static final Pattern JOIN = Pattern.compile(".*(NestedLoopJoin|CartesianProduct).*");
    /** The type of the joins that remove the rows of an existing output. */
    private static final String ANTI_JOIN = "LeftAnti";

    private static final Pattern SCAN = Pattern.compile("(Gpu)?(Batch)?Scan.*");
    /** The origin that an exchange has if a job requests the number of partitions. */
    private static final String REPARTITION = "REPARTITION_BY_NUM";
    /**
     * Matches operators that select among the functions' results. An exchange above such an operator therefore runs
     * after the functions.
     */
    private static final Pattern SELECTION = Pattern.compile(".*Window.*");

    private static final Set<String> ROWS = Set.of("number of output rows", "output rows");
    private static final Set<String> ROWS_OF_EXCHANGE = Set.of("records read");

    /** The ids of the metrics that are added up. */
    private final Set<Long> metrics = new HashSet<>();
    /** The counts of finished tasks, keyed by metric; these include metrics that appear in a plan only later. */
    private final Map<Long, Long> done = new HashMap<>();

    private final Map<Long, Map<Long, Long>> running = new HashMap<>();
    private long tasks;
    private long tasksDone;
    /** The time when the first task started, as returned by {@link System#nanoTime}; 0 before the first task starts. */
    private long started;
    /** The time when a task last reported its counts. */
    private long counted;
    /** Whether the {@link #metrics} come from plans. */
    private boolean ofPlans = true;

    /**
     * The progress of the query.
     *
     * @param seconds the time from the start of the first task to the report of these counts
     * @param ago the number of seconds since that report
     */
    record State(long rows, long tasks, long tasksDone, double seconds, double ago) {}

    /** Resets to zero for a new query. */
    synchronized void reset() {
        ofPlans = true;
        metrics.clear();
        done.clear();
        running.clear();
        tasks = 0;
        tasksDone = 0;
        started = 0;
        counted = 0;
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
        return new State(
                rows,
                tasks,
                tasksDone,
                (counted - started) / 1e9,
                counted == 0 ? 0 : (System.nanoTime() - counted) / 1e9);
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
        metrics.clear();
        collect(plan, false);
        if (metrics.isEmpty()) {
            scans(plan);
        }
    }

    /**
     * Adds the metrics of the joins that form pairs or remove rows, and of the exchanges through which rows reach the
     * functions.
     */
    private void collect(SparkPlanInfo operator, boolean belowJoin) {
        if (!belowJoin
                && operator.nodeName().contains("Join")
                && operator.simpleString().contains(ANTI_JOIN)) {
            add(operator, ROWS);
            return;
        }
        boolean isJoin = JOIN.matcher(operator.nodeName()).matches();
        if (isJoin) {
            add(operator, ROWS);
        } else if (!belowJoin && isRepartition(operator)) {
            add(operator, ROWS_OF_EXCHANGE);
            return;
        }
        CollectionConverters.asJava(operator.children()).forEach(child -> collect(child, belowJoin || isJoin));
    }

    private void scans(SparkPlanInfo operator) {
        if (SCAN.matcher(operator.nodeName()).matches()) {
            add(operator, ROWS);
        }
        CollectionConverters.asJava(operator.children()).forEach(this::scans);
    }

    private void add(SparkPlanInfo operator, Set<String> names) {
        CollectionConverters.asJava(operator.metrics()).stream()
                .filter(metric -> names.contains(metric.name()))
                .forEach(metric -> metrics.add(metric.accumulatorId()));
    }

    private static boolean isRepartition(SparkPlanInfo operator) {
        return operator.simpleString().contains(REPARTITION) && !contains(operator, SELECTION);
    }

    private static boolean contains(SparkPlanInfo operator, Pattern name) {
        return name.matcher(operator.nodeName()).matches()
                || CollectionConverters.asJava(operator.children()).stream().anyMatch(child -> contains(child, name));
    }

    @Override
    public synchronized void onTaskStart(SparkListenerTaskStart task) {
        if (started == 0) {
            started = System.nanoTime();
            counted = started;
        }
    }

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
        tasks += stage.stageInfo().numTasks();
    }

    @Override
    public synchronized void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate update) {
        counted = started == 0 ? 0 : System.nanoTime();
        for (Tuple4<Object, Object, Object, scala.collection.immutable.Seq<AccumulableInfo>> task :
                CollectionConverters.asJava(update.accumUpdates())) {
            Map<Long, Long> counts = running.computeIfAbsent((Long) task._1(), id -> new HashMap<>());
            add(task._4(), counts, false);
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        counted = started == 0 ? 0 : System.nanoTime();
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
