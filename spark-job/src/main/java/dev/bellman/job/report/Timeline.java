package dev.bellman.job.report;

import dev.bellman.job.progress.Milestones;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.TaskInfo;
import scala.jdk.javaapi.OptionConverters;

/** Records on which executors and at what times a run's tasks ran, and computes how well the cores were utilized. */
public final class Timeline extends SparkListener implements AutoCloseable {
    /** The maximum number of tasks that are listed. If a run has more tasks, the report lists the longest ones. */
    private static final int MAX_TASKS = 2_000;

    /**
     * A stage is uneven if its longest task takes more than this many times as long as the median task, and at least
     * {@link #SKEW_MILLIS}.
     */
    private static final double SKEW = 3;

    private static final long SKEW_MILLIS = 1_000;
    private static final long BUS_MILLIS = 10_000;

    /** The description of queries that do not belong to a job. */
    public static final String WARM_UP = "warm-up";

    private record Task(int stage, String executor, long start, long end, boolean failed) {
        long millis() {
            return end - start;
        }
    }

    private final SparkContext context;
    private final Map<Integer, Stage> stages = new TreeMap<>();
    private final Set<Integer> ignored = new HashSet<>();
    private final StageWork work = new StageWork();
    private final List<Task> tasks = new ArrayList<>();
    private final Map<Integer, Work> done = new TreeMap<>();

    /** A stage, with the description of its job and the number of its query. */
    private record Stage(StageInfo info, String description, String query) {}

    /** The total time of a stage's tasks, and the amount of data that they moved. */
    private record Work(long run, long cpu, long collector, long read, long written, long shuffled) {
        private static final Work NONE = new Work(0, 0, 0, 0, 0, 0);

        Work and(Work other) {
            return new Work(
                    run + other.run,
                    cpu + other.cpu,
                    collector + other.collector,
                    read + other.read,
                    written + other.written,
                    shuffled + other.shuffled);
        }
    }

    public Timeline(SparkContext context) {
        this.context = context;
        context.addSparkListener(this);
    }

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
        Properties properties = stage.properties() == null ? new Properties() : stage.properties();
        String description = properties.getProperty(
                "spark.job.description", stage.stageInfo().name());
        if (description.equals(WARM_UP)) {
            ignored.add(stage.stageInfo().stageId());
            return;
        }
        if (stages.values().stream().noneMatch(each -> each.description.equals(description))) {
            // the event may arrive late, but it contains the time at which the stage was submitted
            OptionConverters.toJava(stage.stageInfo().submissionTime())
                    .ifPresent(time -> Milestones.reach("first stage of " + description, (Long) time));
        }
        stages.put(
                stage.stageInfo().stageId(),
                new Stage(stage.stageInfo(), description, properties.getProperty("spark.sql.execution.id")));
    }

    @Override
    public synchronized void onOtherEvent(SparkListenerEvent event) {
        work.look(event);
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        if (ignored.contains(end.stageId())) {
            return;
        }
        TaskInfo info = end.taskInfo();
        tasks.add(new Task(end.stageId(), info.executorId(), info.launchTime(), info.finishTime(), info.failed()));
        TaskMetrics metrics = end.taskMetrics();
        if (metrics != null) {
            Work more = new Work(
                    metrics.executorRunTime(),
                    metrics.executorCpuTime() / 1_000_000,
                    metrics.jvmGCTime(),
                    metrics.inputMetrics().bytesRead(),
                    metrics.outputMetrics().bytesWritten(),
                    metrics.shuffleWriteMetrics().bytesWritten());
            done.merge(end.stageId(), more, Work::and);
        }
    }

    /** Waits until Spark has delivered all pending events, but at most 10 seconds. */
    public void settle() {
        try {
            context.listenerBus().waitUntilEmpty(BUS_MILLIS);
        } catch (TimeoutException e) {
            // continue without the events that are missing
        }
    }

    /**
     * Returns how the stages whose jobs have this description used the machine. {@code seconds} is the duration of the
     * phase.
     */
    public synchronized Map<String, Object> machine(String description, double seconds) {
        Work all = done.entrySet().stream()
                .filter(entry -> stages.containsKey(entry.getKey())
                        && stages.get(entry.getKey()).description().equals(description))
                .map(Map.Entry::getValue)
                .reduce(Work.NONE, Work::and);
        int cores = context.defaultParallelism();
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("cores", cores);
        machine.put("master", context.master());
        machine.put("coreUtilization", Math.min(1, all.run / 1000.0 / Math.max(1e-3, seconds * cores)));
        machine.put("cpuShareOfBusyTime", all.run == 0 ? 0 : Math.min(1, all.cpu / (double) all.run));
        machine.put("garbageCollection", all.run == 0 ? 0 : all.collector / (double) all.run);
        machine.put("bytesRead", all.read);
        machine.put("bytesWritten", all.written);
        machine.put("bytesShuffled", all.shuffled);
        return machine;
    }

    /** Returns the stages in order; their tasks' times are in milliseconds since {@code origin}. */
    public synchronized Map<String, Object> describe(long origin) {
        Map<Integer, List<Task>> byStage = new TreeMap<>();
        tasks.forEach(task ->
                byStage.computeIfAbsent(task.stage, id -> new ArrayList<>()).add(task));
        List<Map<String, Object>> described = new ArrayList<>();
        byStage.forEach((stage, of) -> described.add(stage(stage, of, origin)));
        List<Task> longest = tasks.stream()
                .sorted(Comparator.comparingLong(Task::millis).reversed())
                .limit(MAX_TASKS)
                .sorted(Comparator.comparingLong(Task::start))
                .toList();
        Map<String, Integer> executors = new HashMap<>();
        List<String> names = new ArrayList<>();
        List<List<Object>> told = new ArrayList<>();
        for (Task task : longest) {
            int executor = executors.computeIfAbsent(task.executor, name -> {
                names.add(name);
                return names.size() - 1;
            });
            told.add(List.of(task.stage, executor, task.start - origin, task.end - origin, task.failed ? 1 : 0));
        }
        Map<String, Object> timeline = new LinkedHashMap<>();
        timeline.put("stages", described);
        timeline.put("executors", names);
        timeline.put("taskCount", tasks.size());
        timeline.put("tasks", told);
        return timeline;
    }

    private Map<String, Object> stage(int id, List<Task> of, long origin) {
        long[] millis = of.stream().mapToLong(Task::millis).sorted().toArray();
        long middle = millis[millis.length / 2];
        long most = millis[millis.length - 1];
        Map<String, Object> stage = new LinkedHashMap<>();
        stage.put("id", id);
        Stage known = stages.get(id);
        stage.put("name", known == null ? "" : known.description);
        stage.put("work", known == null ? "" : work.of(known.info, known.query).orElse(""));
        stage.put("start", of.stream().mapToLong(Task::start).min().orElseThrow() - origin);
        stage.put("end", of.stream().mapToLong(Task::end).max().orElseThrow() - origin);
        stage.put("tasks", of.size());
        stage.put("failed", of.stream().filter(Task::failed).count());
        stage.put("medianMillis", middle);
        stage.put("longestMillis", most);
        stage.put("skewed", of.size() > 1 && most >= SKEW_MILLIS && most > SKEW * middle);
        return stage;
    }

    @Override
    public void close() {
        context.removeSparkListener(this);
    }
}
