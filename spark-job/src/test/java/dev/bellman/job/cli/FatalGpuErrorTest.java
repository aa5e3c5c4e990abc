package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.Main;
import dev.bellman.job.run.KilledRunTest;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the end of local runs after a fatal CUDA error. The runs use stubs instead of RAPIDS and a GPU. */
class FatalGpuErrorTest {
    private static final String EXCEPTION = """
        package ai.rapids.cudf;
        public class CudaFatalException extends RuntimeException {
            CudaFatalException(String message) {
                super(message);
            }
            public static String launch(String text) {
                throw new CudaFatalException("an illegal memory access was encountered");
            }
        }
        """;

    /**
     * A plugin that ends the process after any exception in a task. RAPIDS does so only after a fatal CUDA exception.
     */
    private static final String PLUGIN = """
        package com.nvidia.spark;
        import org.apache.spark.*;
        import org.apache.spark.api.plugin.*;
        public class SQLPlugin implements SparkPlugin {
            public DriverPlugin driverPlugin() {
                return null;
            }
            public ExecutorPlugin executorPlugin() {
                return new ExecutorPlugin() {
                    public void onTaskFailed(TaskFailedReason reason) {
                        if (reason instanceof ExceptionFailure) {
                            Runtime.getRuntime().halt(20);
                        }
                    }
                    public void shutdown() {
                        java.util.concurrent.locks.LockSupport.parkNanos(Long.MAX_VALUE);
                    }
                };
            }
        }
        """;

    @TempDir
    Path folder;

    private record Ended(int code, String log) {}

    private Ended run(List<String> options, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        Process process = KilledRunTest.start(log, options, main, arguments);
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as(Files.readString(log))
                    .isTrue();
            return new Ended(process.exitValue(), Files.readString(log));
        } finally {
            process.destroyForcibly();
        }
    }

    private Ended runWithPlugin(String argument) throws IOException, InterruptedException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path exception = Files.writeString(classes.resolve("CudaFatalException.java"), EXCEPTION);
        Path plugin = Files.writeString(classes.resolve("SQLPlugin.java"), PLUGIN);
        String classPath = classes + File.pathSeparator + System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                classPath,
                                "-d",
                                classes.toString(),
                                exception.toString(),
                                plugin.toString()))
                .isZero();
        Path rows = Files.writeString(folder.resolve("pairs.csv"), "a,b\nkitten,sitting\nsaw,was\n");
        return run(
                List.of("-cp", classPath, "-Dspark.plugins=com.nvidia.spark.SQLPlugin", "-Dspark.master=local[2]"),
                Main.class,
                "run",
                "--problem=edit_distance",
                "--engine=cpu",
                "--input=" + rows,
                "--argument=" + argument,
                "--argument=b",
                "--output=" + folder.resolve("out"));
    }

    @Test
    void reportsTheErrorAndEnds() throws Exception {
        Ended ended = runWithPlugin("java_method('ai.rapids.cudf.CudaFatalException', 'launch', a)");

        assertThat(ended.log())
                .contains("error: [BELLMAN_INTERNAL] job: "
                        + "CudaFatalException: an illegal memory access was encountered. After this error,");
        assertThat(ended.code()).isEqualTo(3);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("pairs.csv", "log", "classes");
        }
    }

    @Test
    void leavesOtherErrorsToRapids() throws Exception {
        Ended ended = runWithPlugin("java_method('java.lang.Integer', 'parseInt', a)");

        assertThat(ended.code()).as(ended.log()).isEqualTo(20);
    }

    @Test
    void killsAProcessThatDoesNotEnd() throws Exception {
        Ended ended = run(List.of(), Endless.class);

        assertThat(ended.code()).as(ended.log()).isEqualTo(128 + 9);
    }

    static final class Endless {
        private Endless() {}

        public static void main(String[] arguments) throws InterruptedException {
            ProcessEnd.killAfter(1);
            Thread.sleep(TimeUnit.MINUTES.toMillis(1));
        }
    }
}
