package dev.bellman.job.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.SparkContext;

/**
 * Until this object is closed, a process that is terminated, for example with Ctrl-C, prints its results so far, and
 * then ends before other code logs errors.
 */
public final class EarlyEnd implements AutoCloseable {
    /** The exit code of an interrupted command. */
    static final int INTERRUPTED = 130;

    /** The maximum time that a process may take to end after its jobs were cancelled, in seconds. */
    private static final int CANCEL_SECONDS = 10;

    private final Runnable hook;

    /** @param report prints the results so far */
    public EarlyEnd(Runnable report) {
        hook = () -> {
            Configurator.setAllLevels(LogManager.ROOT_LOGGER_NAME, Level.OFF);
            System.setErr(new PrintStream(OutputStream.nullOutputStream(), true));
            report.run();
            ProcessEnd.end(INTERRUPTED);
        };
        // run this before Spark's hook, which stops the session
        ShutdownHookManager.get().addShutdownHook(hook, FileSystem.SHUTDOWN_HOOK_PRIORITY + 100);
    }

    /**
     * Returns an early end that cancels all jobs of a session, so that the command fails and ends the process. Stopping
     * a session while tasks are using the GPU would crash the process.
     */
    static EarlyEnd cancelling(SparkContext context) {
        return new EarlyEnd(() -> {
            context.cancelAllJobs();
            try {
                TimeUnit.SECONDS.sleep(CANCEL_SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Override
    public void close() {
        if (!ShutdownHookManager.get().isShutdownInProgress()) {
            ShutdownHookManager.get().removeShutdownHook(hook);
        }
    }
}
