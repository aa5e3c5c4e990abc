package dev.bellman.job.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {
    private static final String WRITER = "org.apache.spark.sql.execution.datasources.parquet.ParquetOutputWriter";
    private static final String SHUFFLE = "org.apache.spark.shuffle.sort.io.LocalDiskShuffleMapOutputWriter";

    /**
     * An error message blames the options of the output if its writer refuses them, but not if the disk refuses the
     * data.
     */
    @ParameterizedTest
    @CsvSource({
        WRITER + ", false, BELLMAN_JOB_FILE",
        WRITER + ", true, BELLMAN_OUTPUT_WRITE",
        SHUFFLE + ", true, BELLMAN_INTERNAL",
    })
    void writers(String writer, boolean disk, ErrorCode code) {
        Exception failure = disk ? new IOException("no such file") : new IllegalArgumentException("no such option");
        failure.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("java.io.FileOutputStream", "open", null, 1),
            new StackTraceElement(writer, "write", null, 1),
        });

        assertThat(Failures.explain(new IllegalStateException(failure)).code()).isEqualTo(code);
    }

    /** Spark's messages after a standalone master could not be reached, and after the session was closed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cannot call methods on a stopped SparkContext.\nThis stopped SparkContext was created at:\n",
                "Cannot invoke \"org.apache.spark.SparkEnv.rpcEnv()\" because the return value of "
                        + "\"org.apache.spark.SparkEnv$.get()\" is null",
                "Job 3 cancelled because SparkContext was shut down"
            })
    void stoppedApplication(String message) {
        Exception failure = new RuntimeException(new IllegalStateException(message));

        assertThat(Failures.isStop(failure)).isTrue();
        assertThat(Failures.explain(failure))
                .hasMessage("[BELLMAN_INTERNAL] Spark stopped the application, for example because the master cannot "
                        + "be reached; see Spark's log");
        assertThat(Failures.isStop(new IllegalStateException("a job was cancelled")))
                .isFalse();
    }
}
