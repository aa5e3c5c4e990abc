package dev.bellman.job.cli;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Rapids;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.terminal.Printable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Ends a local run after a fatal CUDA error, such as an access to an illegal address. The process can no longer use the
 * GPU then. RAPIDS would exit in the failed task, before the driver learns of the failure, and stop the session, which
 * may never end because RAPIDS cannot release the GPU's memory.
 *
 * <p>Spark informs its plugins of a failed task one after another. This plugin precedes RAPIDS, and does not return if
 * the error is fatal. Instead, it cancels all Spark jobs, so that the command fails, removes its temporary files,
 * prints the error, and ends the process without stopping the session ({@link ProcessEnd}). On a cluster, this plugin
 * is not used: RAPIDS ends the executor, and Spark replaces it.
 */
public final class FatalGpuError implements SparkPlugin {
    /** The exception by which RAPIDS recognizes a fatal error; its class is on the GPU side. */
    private static final String EXCEPTION = "ai.rapids.cudf.CudaFatalException";

    /** The packages whose loggers report the cancelled jobs. */
    private static final List<String> LOGGED = List.of("org.apache.spark", "com.nvidia.spark");

    private static final int MILLIS = 250;

    /** The maximum time that the command may take to end, in seconds. */
    private static final int SECONDS = 30;

    private static Optional<SparkContext> context = Optional.empty();
    private static Optional<BellmanException> failure = Optional.empty();

    /**
     * Returns the plugins of a new session: the given ones, preceded by this plugin if the session is local and uses
     * GPUs.
     */
    public static String among(SparkConf given) {
        String plugins = given.get(Rapids.PLUGINS, "");
        return plugins.contains(Rapids.PLUGIN) && given.get("spark.master", "").matches("local(\\[.*)?")
                ? "%s,%s".formatted(FatalGpuError.class.getName(), plugins)
                : plugins;
    }

    /** Whether the session's only plugins are RAPIDS and this one. */
    static boolean isOnlyAmong(SparkConf conf) {
        return conf.get(Rapids.PLUGINS, "").equals("%s,%s".formatted(FatalGpuError.class.getName(), Rapids.PLUGIN));
    }

    @Override
    public DriverPlugin driverPlugin() {
        return new DriverPlugin() {
            @Override
            public Map<String, String> init(SparkContext opened, PluginContext plugin) {
                opened(opened);
                return Map.of();
            }
        };
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            @Override
            public void onTaskFailed(TaskFailedReason reason) {
                if (reason instanceof ExceptionFailure failed
                        && failed.exception().isDefined()
                        && isFatal(failed.exception().get())) {
                    end(failed.exception().get());
                }
            }
        };
    }

    private static synchronized void opened(SparkContext opened) {
        context = Optional.of(opened);
    }

    /** Whether a fatal error has occurred in this process. */
    static synchronized boolean hasOccurred() {
        return failure.isPresent();
    }

    /** Returns the fatal error that caused this failure, directly or because it cancelled all jobs. */
    public static synchronized Optional<BellmanException> in(Throwable caught) {
        if (failure.isEmpty() && context.isPresent() && isFatal(caught)) {
            BellmanException explained = Failures.explain(caught);
            failure = Optional.of(new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    ("%s. After this error, the process cannot use the GPU. Run the command again; if it fails again, "
                                    + "use --engine cpu and report the error")
                            .formatted(Failures.withoutCode(explained.getMessage())),
                    caught));
            LOGGED.forEach(each -> Configurator.setAllLevels(each, Level.OFF));
        }
        return failure;
    }

    static boolean isFatal(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at.getClass().getName().equals(EXCEPTION)) {
                return true;
            }
        }
        return false;
    }

    /** Cancels all jobs until the command ends the process. If the command takes too long, ends the process itself. */
    private static void end(Throwable caught) {
        BellmanException fatal = in(caught).orElseThrow();
        SparkContext running = context();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < deadline) {
            if (!running.isStopped()) {
                running.cancelAllJobs();
            }
            try {
                Thread.sleep(MILLIS);
            } catch (InterruptedException e) {
                // Spark interrupts the tasks of cancelled jobs, but this thread must not return
            }
        }
        System.err.println("error: " + Printable.lines(fatal.getMessage()));
        ProcessEnd.end(ExitCode.FAILURE.number());
    }

    private static synchronized SparkContext context() {
        return context.orElseThrow();
    }
}
