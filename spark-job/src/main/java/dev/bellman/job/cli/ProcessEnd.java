package dev.bellman.job.cli;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.ShutdownHookManager;
import org.apache.spark.util.ShutdownHookManager$;

/**
 * Ends a process without stopping its session first. On a GPU, stopping the session would make RAPIDS spend a second on
 * releasing memory that ends with the process anyway; if a task were still running, RAPIDS would crash, and after a
 * fatal error, it might never finish.
 */
public final class ProcessEnd {
    /** Prefixes of the settings for listeners and metrics that do some of their work only when the session stops. */
    private static final List<String> COMPLETED = List.of(
            "spark.extraListeners", "spark.sql.queryExecutionListeners", "spark.sql.streaming.", "spark.metrics.conf");

    /** The maximum time that a process may take to halt after a fatal error of the GPU, in seconds. */
    private static final int KILL_SECONDS = 10;

    private static boolean left;

    private ProcessEnd() {}

    /**
     * Keeps a session open until the process ends, if this {@linkplain #canLeave is possible}. After a fatal error of
     * the GPU, the session stays open in any case, because stopping it may never end.
     *
     * @return false if the session must be stopped
     */
    static boolean leaves(SparkContext context) {
        left = FatalGpuError.hasOccurred() || canLeave(context);
        return left;
    }

    /**
     * Whether a session can stay open until the process ends, even while tasks are running. The session must be stopped
     * if it has no GPU, runs on a cluster, or has an event log, listeners or other plugins that complete their work
     * when it stops. It must also be stopped if {@link #end} could not delete Spark's temporary files.
     */
    static boolean canLeave(SparkContext context) {
        SparkConf conf = context.getConf();
        return conf.get("spark.master", "").matches("local(\\[.*)?")
                && FatalGpuError.isOnlyAmong(conf)
                && !conf.getBoolean("spark.eventLog.enabled", false)
                && Arrays.stream(conf.getAll())
                        .noneMatch(setting -> COMPLETED.stream().anyMatch(setting._1()::startsWith))
                && canDelete();
    }

    /** Stops a session, unless a fatal error of the GPU has occurred. */
    public static void stop(SparkSession spark) {
        left = FatalGpuError.hasOccurred();
        if (!left) {
            spark.stop();
        }
    }

    /** Ends the process if its session was kept open. */
    public static void endIfLeft(int code) {
        if (left) {
            end(ShutdownHookManager.inShutdown() ? EarlyEnd.INTERRUPTED : code);
        }
    }

    /** Deletes the temporary files, and ends the process immediately. */
    public static void end(int code) {
        if (FatalGpuError.hasOccurred()) {
            killAfter(KILL_SECONDS);
        }
        try {
            FileSystem.closeAll();
            for (Deletion deletion : deletions()) {
                deletion.run.invoke(deletion.hook);
            }
        } catch (IOException | ReflectiveOperationException | RuntimeException e) {
            // the remaining files are temporary
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    /**
     * Kills this process if it still exists after some seconds: when it halts, exit handlers of the CUDA libraries run,
     * and they may wait for the GPU forever after a fatal error.
     */
    static void killAfter(int seconds) {
        String script = "timeout %d cat; [ $? -ne 124 ] || kill -KILL %d"
                .formatted(seconds, ProcessHandle.current().pid());
        try {
            // cat ends when this process ends, because its input is a pipe from this process
            new ProcessBuilder("sh", "-c", script)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // without a shell, the process can only halt
        }
    }

    private static boolean canDelete() {
        try {
            return !deletions().isEmpty();
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** A Spark hook that deletes temporary files when a process ends. */
    record Deletion(int priority, Object hook, Method run) {}

    /**
     * Returns Spark's hooks that delete temporary files; these are the hooks that run after the one that stops the
     * session.
     */
    static List<Deletion> deletions() throws ReflectiveOperationException {
        Object manager = value(ShutdownHookManager$.class, "shutdownHooks", null);
        List<Deletion> found = new ArrayList<>();
        for (Object hook : (Collection<?>) value(manager.getClass(), "hooks", manager)) {
            int priority = (int) value(hook.getClass(), "priority", hook);
            if (priority >= ShutdownHookManager.TEMP_DIR_SHUTDOWN_PRIORITY()
                    && priority < ShutdownHookManager.SPARK_CONTEXT_SHUTDOWN_PRIORITY()) {
                found.add(new Deletion(priority, hook, hook.getClass().getMethod("run")));
            }
        }
        found.sort((one, other) -> Integer.compare(other.priority, one.priority));
        return found;
    }

    private static Object value(Class<?> type, String field, Object of) throws ReflectiveOperationException {
        Field found = type.getDeclaredField(field);
        found.setAccessible(true);
        return found.get(of);
    }
}
