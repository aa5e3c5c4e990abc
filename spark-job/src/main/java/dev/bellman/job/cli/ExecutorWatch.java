package dev.bellman.job.cli;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Rapids;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.classic.SparkSession;

/**
 * Ends a run on this host's GPUs if its executors cannot start, for example because a library is missing. Spark's
 * Master endlessly replaces dead executors, and the Worker creates a folder for each executor. Each folder beyond the
 * expected number therefore shows that an executor died. When a task has succeeded, the executors work, and the watch
 * ends.
 */
final class ExecutorWatch extends SparkListener implements AutoCloseable {
    private static final int MAX_DEATHS = 2;
    private static final int LINES = 12;
    private static final int MILLIS = 250;
    private static final int POLL_MILLIS = 10;
    private static final Duration FOR_ALL = Duration.ofSeconds(30);
    private static final Duration FOR_FIRST = Duration.ofMinutes(2);

    /** The packages whose loggers report the end of a query. */
    private static final List<String> LOGGED = List.of("org.apache.spark", "com.nvidia.spark");

    private final Path work;
    private final int executors;
    private final Duration forFirst;
    private final ScheduledExecutorService clock;
    private Optional<SparkContext> context = Optional.empty();
    private Optional<BellmanException> failure = Optional.empty();
    private Optional<Thread> warmUp = Optional.empty();

    /**
     * @param work the Worker's folder; it contains a folder for the application, which contains a numbered folder for
     *     each executor
     * @param executors the expected number of executors
     * @param forFirst how long to wait for the first of them
     */
    ExecutorWatch(Path work, int executors, Duration forFirst) {
        this.work = work;
        this.executors = executors;
        this.forFirst = forFirst;
        clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "bellman-executors");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleWithFixedDelay(this::look, MILLIS, MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Returns a watch if the launcher has created a cluster for this process (see {@code submit/gpu-cluster.sh}). Must
     * be called before the session is opened.
     */
    static Optional<ExecutorWatch> ofProcess(SparkConf given) {
        return Optional.ofNullable(System.getenv("BELLMAN_CLUSTER"))
                .map(folder -> new ExecutorWatch(
                        Path.of(folder, "work"), given.getInt("spark.worker.resource.gpu.amount", 1), FOR_FIRST));
    }

    /** Records that the session is open. */
    synchronized void opened(SparkContext opened) {
        opened.addSparkListener(this);
        context = Optional.of(opened);
    }

    /**
     * If the executors use GPUs, starts to load everything that GPU queries need, in this process while the executors
     * start, and then on all executors.
     *
     * @param joins whether the queries will shuffle rows
     */
    synchronized void warmUp(SparkSession session, boolean joins) {
        if (Rapids.hasGpu(session.sparkContext().getConf())) {
            warmUp = Optional.of(WarmUp.gpuQueries(session, executors, joins, this::await));
        }
    }

    /**
     * Waits until all executors have registered, so that they share the work of the first job. After some time,
     * continues with those that have, or fails if there are none, because Spark would wait for them forever. If this
     * watch ends the run, throws the reason.
     */
    void await() {
        long start = System.nanoTime();
        int registered = registered();
        while (registered < executors && (registered == 0 || System.nanoTime() - start < FOR_ALL.toNanos())) {
            if (registered == 0 && System.nanoTime() - start >= forFirst.toNanos()) {
                fail("none of the %d executors was ready within %d s".formatted(executors, forFirst.toSeconds()));
            }
            failure().ifPresent(reason -> {
                throw reason;
            });
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
            registered = registered();
        }
    }

    private synchronized int registered() {
        // Spark's list of executors also contains the driver
        return context.orElseThrow().statusTracker().getExecutorInfos().length - 1;
    }

    /** Returns the reason why this watch ended the run, if it did. */
    synchronized Optional<BellmanException> failure() {
        return failure;
    }

    private synchronized void look() {
        int started = started().size();
        if (started >= executors + MAX_DEATHS) {
            fail("%d of the %d executors that were started failed before any task was completed"
                    .formatted(started - executors, started));
        }
        if (failure.isPresent()) {
            context.ifPresent(SparkContext::cancelAllJobs);
        }
    }

    private synchronized void fail(String what) {
        if (failure.isEmpty()) {
            failure = Optional.of(new BellmanException(
                    ErrorCode.BELLMAN_EXECUTOR_START,
                    ("%s. The last output of one of them:\n  %s\nFix this error, or use only one GPU with --gpus 1")
                            .formatted(what, String.join("\n  ", said(started())))));
            // otherwise, Spark would log every consequence of the end
            LOGGED.forEach(each -> Configurator.setAllLevels(each, Level.OFF));
        }
    }

    /** Returns the folders of all executors, in the order in which the executors were started. */
    private List<Path> started() {
        try (Stream<Path> found = Files.find(
                work, 2, (path, attributes) -> path.getFileName().toString().matches("\\d+"))) {
            return found.sorted((one, other) -> Integer.compare(number(one), number(other)))
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            // the Worker has not started yet
            return List.of();
        }
    }

    private static int number(Path folder) {
        return Integer.parseInt(folder.getFileName().toString());
    }

    /**
     * Returns the last lines of output of the first executor that has printed anything. The latest executors may not
     * have printed anything yet.
     */
    private static List<String> said(List<Path> executors) {
        return executors.stream()
                .flatMap(executor -> Stream.of(executor.resolve("stderr"), executor.resolve("stdout")))
                .map(ExecutorWatch::last)
                .filter(lines -> !lines.isEmpty())
                .findFirst()
                .orElse(List.of("nothing"));
    }

    private static List<String> last(Path log) {
        try {
            List<String> lines = Files.readAllLines(log).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("Picked up "))
                    .toList();
            // Spark first prints the command, followed by a line of equals signs
            int own = IntStream.range(0, lines.size())
                    .filter(i -> lines.get(i).matches("=+"))
                    .findFirst()
                    .orElse(-1);
            return lines.subList(Math.max(own + 1, lines.size() - LINES), lines.size());
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.taskInfo().successful()) {
            clock.shutdownNow();
        }
    }

    @Override
    public synchronized void close() {
        clock.shutdownNow();
        context.ifPresent(opened -> opened.removeSparkListener(this));
        if (warmUp.filter(Thread::isAlive).isPresent()) {
            // otherwise, Spark and RAPIDS would log the end of the queries that are still running
            LOGGED.forEach(each -> Configurator.setAllLevels(each, Level.OFF));
        }
    }
}
