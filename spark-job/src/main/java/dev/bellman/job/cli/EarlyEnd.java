package dev.bellman.job.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;

/**
 * Until this object is closed, a process that is terminated, for example with Ctrl-C, prints its results so far, and
 * then ends before other code logs errors.
 */
public final class EarlyEnd implements AutoCloseable {
    /** The exit code of an interrupted command. */
    private static final int INTERRUPTED = 130;

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

    @Override
    public void close() {
        ShutdownHookManager.get().removeShutdownHook(hook);
    }
}
