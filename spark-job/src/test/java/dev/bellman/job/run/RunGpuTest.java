package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * For all input formats and treatments of bad rows, a run on a GPU writes and counts the same rows as a run on the CPU.
 * {@code submit/gpu-tests} runs this test.
 */
@Tag("gpu")
class RunGpuTest {
    private static SparkSession spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        spark = LocalSpark.withRapids();
    }

    /** The rows of a run, and the counts in its report. */
    private record Ran(List<String> rows, List<Long> counts) {}

    private Ran run(boolean gpu, Path input, String... more) throws IOException {
        spark.conf().set("spark.rapids.sql.enabled", gpu);
        try {
            CommandLineRun run = CommandLineRun.ofJob(
                    folder,
                    "hamming_distance",
                    input.toString(),
                    Stream.concat(Stream.of("--output-mode=overwrite"), Stream.of(more))
                            .toArray(String[]::new));
            assertThat(run.err()).isEmpty();
        } finally {
            spark.conf().unset("spark.rapids.sql.enabled");
        }
        JsonNode report = CommandLineRun.report(folder.resolve("out"));
        assertThat(report.at("/versions/rapids").asText()).isNotEmpty();
        assertThat(report.at("/versions/cuda").asText()).matches("\\d+[.]\\d");
        return new Ran(
                spark.read().parquet(folder.resolve("out").toString()).collectAsList().stream()
                        .map(Row::toString)
                        .sorted()
                        .toList(),
                Stream.of("rowsIn", "rowsOut", "rowsWithNull", "rowsRejected", "rowsQuarantined")
                        .map(field -> report.path(field).asLong())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "json, null, 1",
        "json, quarantine, 2",
        "csv, null, 1",
        "csv, quarantine, 1",
        "parquet, null, 2",
        "parquet, quarantine, 1",
        "orc, null, 1"
    })
    void asOnTheCpu(String format, String badRows, int parts) throws IOException {
        Path lines = Files.writeString(folder.resolve("rows.jsonl"), """
                {"id": 1, "a": "x", "b": "y"}
                {"id": 2, "b": "y"}
                {"id": 3, "a": "x", "b": "longer"}
                {"id": 4, "a": "xx", "b": "xx"}
                """);
        Path input = lines;
        if (!format.equals("json")) {
            input = folder.resolve("rows." + format);
            spark.read()
                    .json(lines.toString())
                    .write()
                    .format(format)
                    .option("header", true)
                    .save(input.toString());
        }
        String[] flags = {"--on-bad-row=" + badRows, "--output-parts=" + parts};
        Ran cpu = run(false, input, flags);

        assertThat(run(true, input, flags)).isEqualTo(cpu);
        assertThat(cpu.counts().get(2)).isEqualTo(1);
    }
}
