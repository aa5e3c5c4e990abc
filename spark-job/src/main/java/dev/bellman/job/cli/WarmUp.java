package dev.bellman.job.cli;

import dev.bellman.GpuSide;
import dev.bellman.columns.GpuOfTask;
import dev.bellman.job.progress.Milestones;
import org.apache.spark.SparkConf;
import org.apache.spark.rdd.RDDOperationScope$;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.apache.spark.sql.catalyst.parser.SqlBaseParser;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;

/**
 * Loads classes that every run needs on other cores while the session starts. These classes must have independent
 * initializers, because two threads that initialize a cycle of classes would deadlock.
 */
final class WarmUp {
    private WarmUp() {}

    /** Starts loading the GPU libraries if this process will open a session with a GPU. */
    static void gpu(SparkConf given) {
        if (given.get("spark.plugins", "").contains("com.nvidia.spark.SQLPlugin")
                && given.get("spark.master", "").startsWith("local[")) {
            GpuSide.find(GpuOfTask.class)
                    .ifPresent(gpu -> begin("gpu", () -> {
                        gpu.load();
                        Milestones.reach("GPU libraries loaded");
                    }));
        }
    }

    /** Starts loading the classes that plan a query, such as the parser's tables and the compiler of generated code. */
    static void queries() {
        begin("queries", () -> {
            load(SqlBaseLexer.class);
            load(SqlBaseParser.class);
            try {
                new SimpleCompiler().cook("public class Sum { public long of(long a, int b) { return a + b; } }");
            } catch (CompileException e) {
                throw new IllegalStateException(e);
            }
            load(RDDOperationScope$.class);
            Milestones.reach("classes of queries loaded");
        });
    }

    private static void load(Class<?> type) {
        try {
            Class.forName(type.getName(), true, type.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A failure is ignored: it will occur again, with an explanation, when the session needs the class. */
    private static void begin(String what, Runnable load) {
        Thread thread = new Thread(load, "bellman-warm-up-" + what);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((of, failure) -> {});
        thread.start();
    }
}
