package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobFile;
import dev.bellman.job.spec.JobFlags;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Tests the key {@code verify}. */
class VerifyTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    @BeforeEach
    void write() throws IOException {
        StringBuilder pairs = new StringBuilder("id\ta\tb\n");
        StringBuilder chains = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            pairs.append("%d\tkitten%d\tsitting\n".formatted(i, i));
            chains.append("{\"id\": %d, \"dims\": [%d, 2, 30, 10, 8]}\n".formatted(i, i == 7 ? 0 : 40 + i));
        }
        Files.writeString(folder.resolve("pairs.tsv"), pairs);
        Files.writeString(folder.resolve("chains.jsonl"), chains);
    }

    private CommandLineRun run(String problem, String input, String... more) {
        return CommandLineRun.ofJob(folder, problem, input, more);
    }

    private static JobFlags noFlags() {
        return new JobFlags(new CommandLine(new JobFlags.Options().transform(CommandSpec.create())).parseArgs());
    }

    private JsonNode verified() throws IOException {
        return CommandLineRun.report(folder.resolve("out")).path("verified");
    }

    /** The check passes for every format, including formats that cannot represent all values exactly. */
    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc", "csv", "tsv", "json"})
    void agrees(String format) throws IOException {
        CommandLineRun run = run(
                        "edit_distance",
                        "pairs.tsv",
                        "--results=edit_distance,edit_cigar",
                        "--output-format=" + format,
                        "--verify=1")
                .assertDone();
        assertThat(run.out()).contains("; 200 rows verified by serial on the CPU, all results equal");
        assertThat(verified()).hasToString("{\"rows\":200,\"agreed\":200,\"strategy\":\"serial\",\"engine\":\"cpu\"}");
        assertThat(folder.resolve("out/_bellman/verified")).doesNotExist();
    }

    @Test
    void aShareByHash() throws IOException {
        CommandLineRun one = run("edit_distance", "pairs.tsv", "--verify=1", "--input-where=id = 7");
        assertThat(one.out()).contains("; 1 row verified by serial on the CPU");
        run("edit_distance", "pairs.tsv", "--verify=0.25", "--output-mode=overwrite");

        int rows = verified().path("rows").asInt();
        assertThat(rows).isBetween(20, 90);
        run("edit_distance", "pairs.tsv", "--verify=0.25", "--strategy=serial", "--output-mode=overwrite");
        assertThat(verified().path("rows").asInt()).isEqualTo(rows);
        assertThat(verified().path("strategy").asText()).isEqualTo("auto");
    }

    /** Quarantined rows have no results to compare. */
    @Test
    void withBadRows() throws IOException {
        CommandLineRun run =
                run("matrix_chain", "chains.jsonl", "--results=matrix_chain", "--verify=1", "--on-bad-row=quarantine");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(verified().path("rows").asInt()).isEqualTo(199);
        assertThat(verified().path("strategy").asText()).isEqualTo("table");
    }

    /** If an argument has a new value each time it is read, the results change too, and the job publishes nothing. */
    @Test
    void publishesNothingThatDiffers() {
        CommandLineRun run = run("edit_distance", "pairs.tsv", "--argument=a", "--argument=uuid()", "--verify=1");

        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.code().number()).isEqualTo(3);
        assertThat(run.err()).contains("[BELLMAN_VERIFY_FAILED]", "the row with id ", "nothing was published");
        assertThat(folder).isDirectoryNotContaining(path -> path.toString().contains("out"));
    }

    /** The check finds a single incorrect result among many, and the message identifies its row. */
    @Test
    void namesTheRow() {
        run("edit_distance", "pairs.tsv");
        Job job = JobFile.parse(
                        "job.yaml",
                        "job",
                        "{problem: edit_distance, input: %s, output: %s, verify: 1}"
                                .formatted(
                                        "{path: %s}".formatted(folder.resolve("pairs.tsv")),
                                        "{path: %s}".formatted(folder.resolve("out"))),
                        noFlags())
                .get(0);
        String again = folder.resolve("again").toString();

        assertThatThrownBy(() -> new Verifier(job, spark)
                        .verify(
                                again,
                                rows -> rows.write().parquet(again),
                                () -> spark.read().parquet(again),
                                () -> LocalSpark.output(folder)
                                        .selectExpr("id", "edit_distance + int(id = 42) AS edit_distance")))
                .isInstanceOfSatisfying(
                        BellmanException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_VERIFY_FAILED))
                .hasMessageContaining(
                        "the row with id 42 has edit_distance 5 with the strategy auto, but edit_distance 4 with "
                                + "the strategy serial on the CPU");
        assertThat(folder.resolve("again")).doesNotExist();
    }

    @Test
    void whatCannotBeVerified() {
        assertThat(run(
                                "matrix_chain",
                                "chains.jsonl",
                                "--results=matrix_chain_order",
                                "--strategy=hu-shing",
                                "--verify=1",
                                "--on-bad-row=null")
                        .err())
                .contains("[BELLMAN_JOB_FILE]", "no other strategy returns the same results as hu-shing");
        assertThat(run("edit_distance", "pairs.tsv", "--verify=1.5").err())
                .contains("verify must be a number from 0 to 1, not '1.5'");
    }
}
