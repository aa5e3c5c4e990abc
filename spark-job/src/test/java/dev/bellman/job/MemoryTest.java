package dev.bellman.job;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that work that exceeds the memory fails with an error code, and that work that fits succeeds. */
class MemoryTest {
    @TempDir
    Path folder;

    private record Ended(int code, String log) {}

    /** Runs a command in a separate process, with two tasks at a time and a heap of this size. */
    private Ended run(String heap, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument ->
                        argument.startsWith("--add-") || argument.startsWith("-XX") || argument.startsWith("-D"))
                .forEach(command::add);
        command.addAll(List.of(
                "-Xmx" + heap,
                "-Dspark.master=local[2]",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run"));
        command.addAll(Arrays.asList(arguments));
        command.add("--output=" + folder.resolve("out"));
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            return new Ended(process.waitFor(), Files.readString(log));
        } finally {
            process.destroyForcibly();
        }
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void expressionThatTakesTheHeap() throws Exception {
        Path pairs = write("pairs.csv", "a,b\nx,y\n");

        Ended ended = run(
                "600m",
                "--problem=edit_distance",
                "--input=" + pairs,
                "--argument=lpad('', 2000000000, 'x')",
                "--argument=b");

        assertThat(ended.log())
                .contains("error: [BELLMAN_LIMIT] job: out of memory: ")
                .contains("BELLMAN_DRIVER_MEMORY");
        assertThat(ended.code()).isEqualTo(2);
    }

    /**
     * With Spark's default of 4,096 rows at a time, a batch would need 800 MB. The vectors for Parquet grow by
     * doubling, so they may need even more.
     */
    @ParameterizedTest
    @CsvSource({"parquet, 2500", "orc, 5000"})
    @Tag("thorough")
    void wideRows(String format, int rows) throws Exception {
        String pairs = folder.resolve("pairs").toString();
        LocalSpark.session()
                .range(0, rows, 1, 2)
                .select(col("id"), expr("repeat(md5(string(id)), 3125)").as("a"))
                .withColumn("b", col("a"))
                .write()
                .format(format)
                .save(pairs);

        Ended ended = run("600m", "--problem=edit_distance", "--input=" + pairs, "--input-format=" + format);

        assertThat(ended.log()).contains("job: %,d rows".formatted(rows));
        assertThat(ended.code()).isZero();
    }

    @Test
    void tablesThatTakeTheHeapAreSetAside() throws IOException {
        Path input = write("s_dp.jsonl", """
                {"id": 1, "initial": [1], "offsets": [1], "length": 3, "operator": "min"}
                {"id": 2, "initial": [1], "offsets": [1], "length": 100000000, "operator": "min"}
                {"id": 3, "initial": [1], "offsets": [1], "length": 2147483647, "operator": "min"}
                """);
        String[] job = {"run", "--problem=s_dp", "--input=" + input, "--output=" + folder.resolve("out")};

        CommandLineRun.of(job)
                .assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_LIMIT] job: the row with id 2 is bad: s_dp: the table for 100,000,000");

        CommandLineRun nulls = CommandLineRun.of(with(job, "--on-bad-row=null"));
        assertThat(nulls.err()).isEmpty();
        nulls.assertDone();
        assertThat(LocalSpark.session()
                        .read()
                        .parquet(folder + "/out")
                        .filter("s_dp IS NULL")
                        .orderBy("id")
                        .select("id")
                        .collectAsList())
                .extracting(row -> row.getLong(0))
                .containsExactly(2L, 3L);

        CommandLineRun.of(with(job, "--on-bad-row=quarantine", "--output-mode=overwrite"))
                .assertCode(ExitCode.QUARANTINED)
                .isEmpty();
        assertThat(LocalSpark.session()
                        .read()
                        .parquet(folder + "/out/_bellman/quarantine")
                        .orderBy("id")
                        .collectAsList())
                .extracting(row -> row.<String>getAs("reason"))
                .satisfiesExactly(
                        reason -> assertThat(reason).startsWith("[BELLMAN_LIMIT] s_dp: the table for 100,000,000"),
                        reason -> assertThat(reason).startsWith("[BELLMAN_LIMIT] s_dp: length is 2,147,483,647"));
    }

    private static String[] with(String[] job, String... more) {
        return Stream.concat(Arrays.stream(job), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    void everyTaskHasItsShare() throws IOException {
        String dims = IntStream.rangeClosed(0, 30_000)
                .mapToObj(i -> Integer.toString(1 + i % 1_000))
                .collect(Collectors.joining(",", "[", "]"));
        Path input = write(
                "chains.jsonl", "{\"id\": 1, \"dims\": %s}\n".formatted(dims).repeat(4));
        String output = folder.resolve("out").toString();

        CommandLineRun run = CommandLineRun.of(
                "run",
                "--problem=matrix_chain",
                "--results=matrix_chain_order",
                "--input=" + input,
                "--output=" + output);
        CommandLineRun withoutTable = CommandLineRun.of(
                "run",
                "--problem=matrix_chain",
                "--results=matrix_chain_cost",
                "--input=" + input,
                "--output=" + output);

        assertThat(run.err())
                .contains("[BELLMAN_LIMIT]", "a chain of 30000 matrices takes", "Use the strategy hu-shing");
        assertThat(withoutTable.err()).isEmpty();
        assertThat(LocalSpark.session().read().parquet(output).collectAsList())
                .hasSize(4)
                .extracting((Row row) -> row.getLong(1))
                .allMatch(cost -> cost > 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ExecutorLostFailure (executor 0 exited caused by one of the running tasks) Reason: Command exited "
                        + "with code 52",
                "ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason: The executor with "
                        + "id 1 exited with"
                        + " exit code 137(SIGKILL, possible container OOM).",
                "ExecutorLostFailure (executor 2 exited caused by one of the running tasks) Reason: Container marked "
                        + "as failed: c on host: h."
                        + " Exit status: 137. Diagnostics: killed",
            })
    void executorsThatDieOfMemory(String reason) {
        BellmanException explained = Failures.explain(new SparkException(
                "Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent failure: Lost task "
                        + "0.3 in stage 1.0"
                        + " (TID 7) (host executor 0): " + reason + "\nDriver stacktrace:"));

        assertThat(explained.code()).isEqualTo(ErrorCode.BELLMAN_LIMIT);
        assertThat(explained.getMessage())
                .contains("an executor exited with code")
                .contains("--executor-memory");
    }
}
