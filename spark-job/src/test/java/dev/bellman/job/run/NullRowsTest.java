package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that rows with a NULL argument have no result, that runs count them, and that a later run solves them once the
 * argument has a value.
 */
class NullRowsTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    /** Writes the rows to a file, and returns its path. */
    private Path write(String name, String format, String... rows) throws IOException {
        Path lines = Files.writeString(folder.resolve(name + ".jsonl"), String.join("\n", rows) + "\n");
        if (format.equals("json")) {
            return lines;
        }
        Path file = folder.resolve(name + "." + format);
        spark.read()
                .json(lines.toString())
                .write()
                .mode("overwrite")
                .format(format)
                .option("header", true)
                .save(file.toString());
        return file;
    }

    private CommandLineRun run(String problem, Path input, String... more) {
        return CommandLineRun.ofJob(folder, problem, input, more);
    }

    private long reported(String field) throws IOException {
        JsonNode report = CommandLineRun.report(folder.resolve("out"));
        return report.at("/" + field).asLong(-1);
    }

    private List<String> badRows(String... columns) {
        return LocalSpark.lines(spark.read()
                .parquet(folder.resolve("out/_bellman/quarantine").toString())
                .selectExpr(columns));
    }

    @ParameterizedTest
    @CsvSource({
        "json, fail, 1",
        "json, null, 1",
        "json, quarantine, 3",
        "parquet, fail, 3",
        "parquet, quarantine, 1",
        "orc, null, 1",
        "csv, quarantine, 1"
    })
    void areCounted(String format, String badRows, int parts) throws IOException {
        Path rows = write(
                "rows",
                format,
                "{\"id\": 1, \"a\": \"x\", \"b\": \"y\"}",
                "{\"id\": 2, \"b\": \"y\"}",
                "{\"id\": 3, \"a\": \"x\"}",
                "{\"id\": 4}",
                "{\"id\": 5, \"a\": \"xx\", \"b\": \"xx\"}");
        CommandLineRun run = run("hamming_distance", rows, "--on-bad-row=" + badRows, "--output-parts=" + parts)
                .assertDone();
        assertThat(run.out()).contains("5 rows (3 with a NULL argument: no result) in ");
        assertThat(reported("rowsWithNull")).isEqualTo(3);
        assertThat(reported("rowsOut")).isEqualTo(5);
        assertThat(LocalSpark.written(folder, "id", "hamming_distance"))
                .containsExactly("[1,1]", "[2,null]", "[3,null]", "[4,null]", "[5,0]");
    }

    /**
     * The expression for an argument may fail or be NULL. A row for which it fails is a bad row, but a row for which it
     * is NULL is not.
     */
    @Test
    void areNotThoseWhoseArgumentFails() throws IOException {
        Path rows = write(
                "rows",
                "json",
                "{\"id\": 1, \"a\": \"x\", \"b\": \"1\"}",
                "{\"id\": 2, \"a\": \"x\", \"b\": \"one\"}",
                "{\"id\": 3, \"a\": \"x\"}");
        CommandLineRun run = run(
                "edit_distance",
                rows,
                "--argument=a",
                "--argument=repeat('x', int(b))",
                "--on-bad-row=quarantine",
                "--output-mode=append",
                "--output-skip-existing");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(reported("rowsWithNull")).isEqualTo(1);
        assertThat(reported("rowsQuarantined")).isEqualTo(1);
        assertThat(LocalSpark.written(folder, "id")).containsExactly("[1]");
        assertThat(badRows("id")).containsExactly("[2]");
    }

    @ParameterizedTest
    @CsvSource({"json, 1", "parquet, 1", "json, 2"})
    void areSolvedWhenTheirValueArrives(String format, int parts) throws IOException {
        String[] flags = {"--output-mode=append", "--output-skip-existing", "--output-parts=" + parts};
        Path monday = write(
                "monday", format, "{\"id\": 1, \"a\": \"x\", \"b\": \"y\"}", "{\"id\": 2, \"a\": \"x\", \"b\": null}");
        CommandLineRun first = run("edit_distance", monday, flags).assertDone();
        assertThat(first.out()).contains("1 row (1 with a NULL argument: not written) in ");
        assertThat(LocalSpark.written(folder, "*")).containsExactly("[1,1]");

        CommandLineRun again = run("edit_distance", monday, flags).assertDone();
        assertThat(again.out()).contains("is unchanged; 1 row with a NULL argument is left for a later run");

        Path tuesday = write("tuesday", format, "{\"id\": 2, \"a\": \"x\", \"b\": \"x\"}");
        run("edit_distance", tuesday, flags).assertDone();
        assertThat(LocalSpark.written(folder, "*")).containsExactly("[1,1]", "[2,0]");
        assertThat(reported("rowsWithNull")).isZero();
    }

    private static final String[] SERIES = {
        "{\"id\": 1, \"s\": [1.0, 2.0]}",
        "{\"id\": 2, \"s\": [1.0, null]}",
        "{\"id\": 3}",
        "{\"id\": 4, \"s\": [1.0, 4.0]}",
        "{\"id\": 5, \"s\": [null]}"
    };

    private static final String[] TARGETS = {
        "{\"id\": 7, \"s\": [1.0, 2.0]}", "{\"id\": 8, \"s\": [null, 2.0]}", "{\"id\": 9, \"s\": [1.0, 3.0]}"
    };

    /**
     * A row that is bad by itself occurs in many pairs, but counts as one bad row. A row with a NULL argument also
     * counts once.
     */
    @ParameterizedTest
    @CsvSource({"json, 1, ''", "parquet, 1, --top=1", "json, 3, ''", "json, 1, --output-skip-existing"})
    void countOnceOfManyPairs(String format, int parts, String more) throws IOException {
        List<String> flags = new ArrayList<>(List.of(
                "--targets=" + write("targets", format, TARGETS),
                "--argument=s",
                "--on-bad-row=quarantine",
                "--output-mode=append",
                "--output-parts=" + parts));
        if (!more.isEmpty()) {
            flags.add(more);
        }
        CommandLineRun run = run("dtw", write("queries", format, SERIES), flags.toArray(String[]::new));

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(badRows("id_a", "id_b", "size(arguments.a)", "size(arguments.b)", "reason IS NOT NULL"))
                .containsExactly("[2,null,2,null,true]", "[5,null,1,null,true]", "[null,8,null,2,true]");
        assertThat(reported("rowsQuarantined")).isEqualTo(3);
        assertThat(reported("rowsWithNull")).isEqualTo(1);
        List<String> pairs = LocalSpark.written(folder, "id_a", "id_b", "dtw");
        assertThat(pairs).contains("[1,7,0.0]", "[4,9,1.0]").doesNotContain("[2,7,null]");
        if (more.equals("--output-skip-existing")) {
            CommandLineRun again = run("dtw", folder.resolve("queries.jsonl"), flags.toArray(String[]::new))
                    .assertDone();
            assertThat(again.out()).contains("no new rows");
            assertThat(badRows("id_a")).hasSize(3);
        }
    }

    @Test
    void countOnceOfAllVersusAll() throws IOException {
        CommandLineRun run = run(
                "dtw",
                write("queries", "json", SERIES),
                "--argument=s",
                "--pairing=all-vs-all",
                "--on-bad-row=quarantine");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(badRows("id_a", "id_b")).containsExactly("[2,null]", "[5,null]");
        assertThat(reported("rowsWithNull")).isEqualTo(1);
        assertThat(LocalSpark.written(folder, "id_a", "id_b", "dtw")).contains("[1,4,2.0]");
    }

    /** Two good rows that cannot be combined are a bad pair. */
    @Test
    void pairsThatAreBadTogether() throws IOException {
        CommandLineRun run = run(
                "hamming_distance",
                write(
                        "rows",
                        "json",
                        "{\"id\": 1, \"s\": \"aa\"}",
                        "{\"id\": 2, \"s\": \"ab\"}",
                        "{\"id\": 3, \"s\": \"abc\"}",
                        "{\"id\": 4}"),
                "--argument=s",
                "--pairing=all-vs-all",
                "--on-bad-row=quarantine");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
        assertThat(badRows("id_a", "id_b")).containsExactly("[1,3]", "[2,3]");
        assertThat(reported("rowsWithNull")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"within, --max-distance=1", "nearest, --top=1"})
    void ofClosePairs(String pairing, String more) throws IOException {
        Path rows = write("rows", "json", "{\"id\": 1, \"s\": \"aa\"}", "{\"id\": 2, \"s\": \"ab\"}", "{\"id\": 3}");
        run("edit_distance", rows, "--argument=s", "--pairing=" + pairing, more, "--targets=" + rows)
                .assertDone();
        // one row of the input, and one row of the targets
        assertThat(reported("rowsWithNull")).isEqualTo(2);
    }
}
