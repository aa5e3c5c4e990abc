package dev.bellman.job.cli;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Rapids;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final int MAX_SECONDS = 30;

    /** The packages whose loggers report the end of a query. */
    private static final List<String> LOGGED = List.of("org.apache.spark", "com.nvidia.spark");

    private final Path work;
    private final int executors;
    private final ScheduledExecutorService clock;
    private Optional<SparkContext> context = Optional.empty();
    private Optional<BellmanException> failure = Optional.empty();
    private Optional<Thread> warmUp = Optional.empty();

    /**
     * @param work the Worker's folder; it contains a folder for the application, which contains a numbered folder for
     *     each executor
     * @param executors the expected number of executors
     */
    ExecutorWatch(Path work, int executors) {
        this.work = work;
        this.executors = executors;
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
                        Path.of(folder, "work"), given.getInt("spark.worker.resource.gpu.amount", 1)));
    }

    /** Records that the session is open. */
    synchronized void opened(SparkContext opened) {
        opened.addSparkListener(this);
        context = Optional.of(opened);
    }

    /**
     * If the executors use GPUs, starts to load everything that GPU queries need, in this process while the executors
     * start, and then on all executors.
     */
    synchronized void warmUp(SparkSession session) {
        if (Rapids.hasGpu(session.sparkContext().getConf())) {
            warmUp = Optional.of(WarmUp.gpuQueries(session, executors, this::await));
        }
    }

    /**
     * Waits until all executors have registered, so that they share the work of the first job. After some time,
     * continues with those that have. If this watch ends the run, throws the reason.
     */
    void await() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
        while (registered() < executors && System.nanoTime() < deadline) {
            failure().ifPresent(reason -> {
                throw reason;
            });
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
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
        if (failure.isEmpty()) {
            failure = find();
            if (failure.isPresent()) {
                // otherwise, Spark would log every consequence of the end
                LOGGED.forEach(each -> Configurator.setAllLevels(each, Level.OFF));
            }
        }
        if (failure.isPresent()) {
            context.ifPresent(SparkContext::cancelAllJobs);
        }
    }

    private Optional<BellmanException> find() {
        List<Path> started = started();
        if (started.size() < executors + MAX_DEATHS) {
            return Optional.empty();
        }
        return Optional.of(new BellmanException(
                ErrorCode.BELLMAN_EXECUTOR_START,
                ("%d of the %d executors that were started failed before any task was completed. The last output "
                                + "of one of them:\n  %s\nFix this error, or use only one GPU with --gpus 1")
                        .formatted(started.size() - executors, started.size(), String.join("\n  ", said(started)))));
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
