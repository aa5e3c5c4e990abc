package dev.bellman.job.output;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/** Makes {@link FaultyFileSystem} available to jobs. */
public final class FaultyRun {
    private FaultyRun() {}

    /** Registers the schemes with a Spark session. */
    public static void configure(Configuration configuration) {
        for (Map.Entry<String, String> setting : FaultyFileSystem.configuration()) {
            if (setting.getKey().matches("fs\\.(faulty|store)\\.impl|bellman\\..*")) {
                configuration.set(setting.getKey(), setting.getValue());
            }
        }
    }

    /** Runs an action during which one file system operation, counted from 0, fails because the disk is full. */
    public static <T> T failingAt(int step, Supplier<T> work) {
        FaultyFileSystem.plan(FaultyFileSystem.Fault.FAIL_BEFORE, step);
        try {
            return work.get();
        } finally {
            FaultyFileSystem.plan(FaultyFileSystem.Fault.NONE, 0);
        }
    }

    /** Whether the most recently planned fault has happened. */
    public static boolean happened() {
        return FaultyFileSystem.happened();
    }
}
