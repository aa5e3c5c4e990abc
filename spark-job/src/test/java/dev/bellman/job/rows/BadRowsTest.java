package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests rows that a function rejects, from the command line to the output. */
class BadRowsTest {
    /** The number of cells of the two valid chains: (n^3 - n) / 6 for n = 3 and n = 2 matrices. */
    private static final long CELLS = 4 + 1;

    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private Path chains;
    private Path output;

    @BeforeEach
    void writeChains() throws IOException {
        output = folder.resolve("out");
        chains = Files.writeString(folder.resolve("chains.jsonl"), """
                {"id": "good", "note": "n1", "dims": [10, 20, 30, 40]}
                {"id": "null", "note": "n2", "dims": null}
                {"id": "zero", "note": "n3", "dims": [10, 0, 30]}
                {"id": "short", "note": "n4", "dims": [10, 20, 30]}
                {"id": "minus", "note": "n5", "dims": [10, 20, -5]}
                """);
    }

    private CommandLineRun run(String... more) {
        List<String> shared = List.of("--results=matrix_chain_cost", "--keep=note");
        return CommandLineRun.ofJob(folder, "matrix_chain", chains, shared, more);
    }

    private JsonNode report() throws IOException {
        return CommandLineRun.report(output);
    }

    @Test
    void failNamesTheFirstBadRow() throws IOException {
        run().assertCode(ExitCode.INPUT)
                .startsWith(
                        "error: [BELLMAN_INPUT_VALUE] job: the row with id zero, note n3 is bad: matrix_chain_cost: ")
                .hasLineCount(1);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(chains);
        }
    }

    @Test
    void nullKeepsTheRows() throws IOException {
        CommandLineRun run = run("--on-bad-row=null");

        assertThat(run.err()).isEmpty();
        run.assertDone();
        assertThat(LocalSpark.written(folder))
                .containsExactly(
                        "[good,n1,18000]", "[minus,n5,null]", "[null,n2,null]", "[short,n4,6000]", "[zero,n3,null]");
        assertThat(output.resolve("_bellman/quarantine")).doesNotExist();
        assertThat(report().at("/rowsQuarantined").asLong()).isZero();
        // the row whose argument is NULL does not count
        assertThat(report().at("/rowsRejected").asLong()).isEqualTo(2);
        assertThat(run.out())
                .contains("5 rows (2 rejected: their results are NULL; 1 with a NULL argument: no result) in ");
    }

    @Test
    void quarantineSetsThemAside() throws IOException {
        CommandLineRun run = run("--on-bad-row=quarantine", "--output-partitions=2");

        run.assertCode(ExitCode.QUARANTINED).isEmpty();
        assertThat(run.out())
                .contains("(2 quarantined; 1 with a NULL argument: no result)", output + "/_bellman/quarantine");
        assertThat(LocalSpark.written(folder)).containsExactly("[good,n1,18000]", "[null,n2,null]", "[short,n4,6000]");
        assertThat(report().at("/rowsIn").asLong()).isEqualTo(5);
        assertThat(report().at("/rowsOut").asLong()).isEqualTo(3);
        assertThat(report().at("/rowsQuarantined").asLong()).isEqualTo(2);
        assertThat(report().path("quarantineReasons").findValuesAsText("example"))
                .anyMatch(example -> example.startsWith("id zero, note n3: [BELLMAN_INPUT_VALUE] matrix_chain_cost: ")
                        && example.contains(" is 0"));
        assertThat(report().at("/cells").asLong()).isEqualTo(CELLS);
        assertThat(report().at("/functions/matrix_chain_cost/engine").asText()).isEqualTo("cpu");

        Dataset<Row> bad = spark.read().parquet(output + "/_bellman/quarantine");
        assertThat(bad.columns()).containsExactly("id", "note", "arguments", "record", "reason");
        assertThat(LocalSpark.lines(bad.selectExpr("id", "note", "arguments.dims")))
                .containsExactly("[minus,n5,ArraySeq(10, 20, -5)]", "[zero,n3,ArraySeq(10, 0, 30)]");
        assertThat(LocalSpark.lines(bad.select("reason")))
                .allMatch(reason -> reason.startsWith("[[BELLMAN_INPUT_VALUE] matrix_chain_cost: "));
    }

    /** The names of kept columns must differ from those of the columns that the table of bad rows adds. */
    @Test
    void columnsOfBadRows() throws IOException {
        Path input = Files.writeString(
                folder.resolve("in.jsonl"),
                "{\"id\": 1, \"dims\": [1, 0], \"text\": \"a\", \"note\": 5, "
                        + "\"Reason\": 2, \"record\": 3, \"arguments\": 4}\n");
        chains = input;
        for (String keep : List.of("Reason", "record", "arguments")) {
            CommandLineRun run = run("--on-bad-row=quarantine", "--keep=" + keep);
            assertThat(run.code()).as(keep).isEqualTo(ExitCode.INPUT);
            assertThat(run.err())
                    .containsIgnoringCase(
                            "the table of quarantined rows would have two columns named '%s'".formatted(keep))
                    .contains("check id and keep");
        }
        // the columns of pairs have other names, and clusters have no bad rows with kept columns
        String pairs = "run --problem=edit_distance --argument=text --pairing=within --max-distance=1 "
                + "--on-bad-row=quarantine --keep=Reason,record,arguments --input=%s --output=%s";
        for (String more : List.of("", " --results=cluster --output-mode=overwrite")) {
            CommandLineRun.of((pairs.formatted(input, output) + more).split(" "))
                    .assertDone();
        }
        run("--keep=Reason,record,arguments", "--on-bad-row=null", "--output-mode=overwrite")
                .assertDone();
    }

    /** Even with a filter on the results, Spark calls the function only once per row. */
    @Test
    void quarantineOfGoodRowsCallsTheFunctionOnce() throws IOException {
        Files.writeString(chains, """
                {"id": "good", "note": "n1", "dims": [10, 20, 30, 40]}
                {"id": "short", "note": "n4", "dims": [10, 20, 30]}
                """);

        CommandLineRun run = run("--on-bad-row=quarantine");

        assertThat(run.err()).isEmpty();
        run.assertDone();
        assertThat(report().at("/cells").asLong()).isEqualTo(CELLS);
        assertThat(output.resolve("_bellman/quarantine")).doesNotExist();
    }

    @Test
    void nothingIsSetAsideOfAFunctionThatRejectsNothing() {
        CommandLineRun run = CommandLineRun.of(
                "run",
                "--problem=edit_distance",
                "--argument=id",
                "--argument=note",
                "--input=" + chains,
                "--output=" + output,
                "--on-bad-row=quarantine");

        assertThat(run.err()).isEmpty();
        run.assertDone();
        assertThat(LocalSpark.written(folder)).hasSize(5);
    }

    /**
     * Sums modulo a number are only supported for integers. The reason lists the operators for DOUBLE, the type of this
     * row's values.
     */
    @Test
    void theReasonIsThatOfTheSignatureThatWasCalled() throws IOException {
        Files.writeString(chains, """
                {"id": "good", "initial": [0.5, 1.0], "operator": "sum"}
                {"id": "bad", "initial": [0.5, 1.0], "operator": "sum mod 7"}
                """);

        CommandLineRun.of(
                        "run",
                        "--problem=s_dp",
                        "--results=s_dp_last",
                        "--argument=initial",
                        "--argument=array(2, 1)",
                        "--argument=4",
                        "--argument=operator",
                        "--input=" + chains,
                        "--output=" + output,
                        "--on-bad-row=quarantine")
                .assertCode(ExitCode.QUARANTINED)
                .isEmpty();
        assertThat(LocalSpark.written(folder)).containsExactly("[good,2.5]");
        assertThat(LocalSpark.lines(
                        spark.read().parquet(output + "/_bellman/quarantine").select("reason")))
                .singleElement()
                .asString()
                .startsWith("[[BELLMAN_INPUT_VALUE] s_dp_last: operator is 'sum mod 7'; for DOUBLE it must be one of ");
    }

    /** Covers functions of several lists, functions of one list of strings, and results with several fields. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            triangulation    | "weights": [3, 1, 4, 2]                | "weights": [3]                         | weights has too few entries (1)
            optimal_bst      | "key_frequencies": [3], "gap_frequencies": [1, 2] | "key_frequencies": [3], "gap_frequencies": [1] | gap_frequencies needs one more entry than key_frequencies
            parenthesization | "leaf_costs": [3, 4], "range_costs": [1] | "leaf_costs": [3, 4], "range_costs": [1, 2] | it needs 1
            scs_all          | "texts": ["ab", "bc"]                  | "texts": ["ab", null]                  | entry 2 of texts
            s_dp             | "initial": [1], "offsets": [1], "length": 3, "operator": "sum" | "initial": [1], "offsets": [2], "length": 3, "operator": "sum" | the first offset is 2
            """)
    void ofEveryFamily(String problem, String good, String bad, String reason) throws IOException {
        Path input = Files.writeString(
                folder.resolve("rows.jsonl"), "{\"id\": 1, %s}\n{\"id\": 2, %s}\n".formatted(good, bad));

        CommandLineRun.of(
                        "run",
                        "--problem=" + problem,
                        "--input=" + input,
                        "--output=" + output,
                        "--on-bad-row=quarantine")
                .assertCode(ExitCode.QUARANTINED)
                .isEmpty();
        assertThat(spark.read().parquet(output.toString()).select("id").collectAsList())
                .extracting(row -> row.getLong(0))
                .containsExactly(1L);
        assertThat(spark.read()
                        .parquet(output.resolve("_bellman/quarantine").toString())
                        .collectAsList())
                .singleElement()
                .satisfies(row -> assertThat(row.<String>getAs("reason")).contains(reason));
    }
}
