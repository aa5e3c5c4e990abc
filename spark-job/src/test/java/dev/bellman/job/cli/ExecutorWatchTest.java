package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * These tests simulate executors with the folders that Spark's Worker creates for them. {@code GpuClusterTest} has real
 * executors that die before they register.
 */
class ExecutorWatchTest {
    @TempDir
    private Path work;

    private static final Duration WAIT = Duration.ofSeconds(1);

    private final SparkContext context = LocalSpark.session().sparkContext();

    private void start(int executor, String log) throws IOException {
        Path folder = Files.createDirectories(work.resolve("app-1").resolve(Integer.toString(executor)));
        Files.writeString(folder.resolve("stderr"), "Spark Executor Command: java\n====\n\n" + log);
    }

    private void run(long millis) {
        JavaSparkContext.fromSparkContext(context)
                .parallelize(List.of(millis), 1)
                .foreach(Thread::sleep);
    }

    @Test
    void aJobEndsAtTheSecondDeath() throws IOException {
        try (ExecutorWatch watch = new ExecutorWatch(work, 2, WAIT)) {
            watch.opened(context);
            for (int i = 0; i < 4; i++) {
                start(i, "libnvidia-ml.so.1: cannot open shared object file\nbye\n");
            }

            assertThatThrownBy(() -> run(1_000_000)).isInstanceOf(SparkException.class);

            assertThat(watch.failure()).hasValueSatisfying(failure -> {
                assertThat(failure.code()).isEqualTo(ErrorCode.BELLMAN_EXECUTOR_START);
                assertThat(failure.getMessage())
                        .contains(
                                "2 of the 4 executors that were started failed before any task was completed",
                                "\n  libnvidia-ml.so.1: cannot open shared object file\n  bye\n")
                        .doesNotContain("Spark Executor Command");
            });
            assertThat(ExitCode.of(ErrorCode.BELLMAN_EXECUTOR_START)).isEqualTo(ExitCode.FAILURE);
        }
    }

    @Test
    void executorsThatHaveDoneATaskMayDie() throws Exception {
        try (ExecutorWatch watch = new ExecutorWatch(work, 1, WAIT)) {
            watch.opened(context);
            run(0);
            context.listenerBus().waitUntilEmpty();
            for (int i = 0; i < 8; i++) {
                start(i, "");
            }

            run(1_000);

            assertThat(watch.failure()).isEmpty();
        }
    }

    @Test
    void oneDeathIsNoFailure() throws IOException {
        try (ExecutorWatch watch = new ExecutorWatch(work, 2, WAIT)) {
            watch.opened(context);
            for (int i = 0; i < 3; i++) {
                start(i, "");
            }

            run(1_000);

            assertThat(watch.failure()).isEmpty();
        }
    }

    /** An executor may hang, or the worker may lack the resources for any. */
    @Test
    void executorsThatAreNeverReady() throws IOException {
        start(0, "Listening for transport dt_socket\n");
        try (ExecutorWatch watch = new ExecutorWatch(work, 2, WAIT)) {
            watch.opened(context);

            assertThatThrownBy(watch::await)
                    .isInstanceOf(BellmanException.class)
                    .hasMessageContaining("[BELLMAN_EXECUTOR_START] none of the 2 executors was ready within 1 s. "
                            + "The last output of one of them:\n  Listening for transport dt_socket\n");
        }
    }
}
