package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An input may have any column: jobs output its values, whatever the names of the columns that they add themselves. */
class KeptColumnsTest {
    /** Names that suggest themselves for columns that are added to rows. */
    private static final List<String> NAMES = List.of(
            "argument_1",
            "argument_2",
            "__failed_0",
            "__failed",
            "__row",
            "__row_a",
            "__reason",
            "__known_id",
            "__group0",
            "__targets",
            "__solved",
            "__eligible",
            "__place",
            "__done",
            "__chosen",
            "__string",
            "__node",
            "__node_of",
            "__root",
            "__smallest",
            "__rows",
            "__neighbours",
            "__id_of",
            "__sequence",
            "node",
            "root",
            "neighbours",
            "rows",
            "place",
            "targets");

    private static final List<String> KEEP =
            NAMES.stream().map("--keep=%s"::formatted).toList();

    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    @BeforeEach
    void input() {
        List<String> columns = new ArrayList<>(List.of(
                "id",
                "if(id = 3, 'seven', string(id)) AS number",
                "concat('kitten', id % 4) AS a",
                "concat('sitting', id % 3) AS b",
                "id % 2 AS block",
                "array(int(id % 2), int(id % 3 = 0)) AS symbols"));
        NAMES.forEach(name -> columns.add("concat('%1$s ', id) AS `%1$s`".formatted(name)));
        Dataset<Row> rows = spark.range(12).selectExpr(columns.toArray(String[]::new));
        rows.write().parquet(folder.resolve("in").toString());
        rows.where("id >= 4").write().parquet(folder.resolve("targets").toString());
    }

    private void run(ExitCode code, String problem, String flags) {
        List<String> all = new ArrayList<>(Arrays.asList(flags.replace("@", folder.toString())
                .replace("$", "int(number) % 5")
                .split(" (?=--)")));
        all.addAll(KEEP);
        CommandLineRun run = CommandLineRun.ofJob(folder, problem, "in", all.toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isEqualTo(code);
    }

    /** Fails unless each row has the values of the row that the id identifies. */
    private void checkKept(String output, List<String> sides, int atLeast) {
        Dataset<Row> rows = spark.read().parquet(folder.resolve(output).toString());
        Column[] wrong = sides.stream()
                .flatMap(side -> NAMES.stream()
                        .map(name -> "count_if(NOT `%1$s%2$s` <=> concat('%1$s ', `id%2$s`)) AS `%1$s%2$s`"
                                .formatted(name, side)))
                .map(functions::expr)
                .toArray(Column[]::new);
        Row counts = rows.agg(functions.count(functions.lit(1)), wrong).head();
        assertThat(counts.getLong(0)).isGreaterThanOrEqualTo(atLeast);
        for (int i = 1; i < counts.size(); i++) {
            assertThat(counts.getLong(i)).as(counts.schema().fieldNames()[i]).isZero();
        }
    }

    /** {@code $} stands for an expression that fails for the row with id 3, and {@code @} for the folder. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--verify=1",
                "--verify=1 --keep=block --best=2 per block by edit_distance --output-where=edit_distance > 0",
                "--results=edit_distance,edit_cigar --best=3 per __row by edit_distance",
                "--input-where=__failed_0 IS NOT NULL --output-where=__solved IS NOT NULL",
                "--output-parts=2"
            })
    void ofRows(String flags) {
        run(ExitCode.DONE, "edit_distance", flags);
        checkKept("out", List.of(""), 4);
    }

    @Test
    void ofQuarantinedRows() {
        run(
                ExitCode.QUARANTINED,
                "edit_distance",
                "--argument=string($) --argument=string(1 + $) --on-bad-row=quarantine");
        checkKept("out", List.of(""), 11);
        checkKept("out/_bellman/quarantine", List.of(""), 1);
    }

    @Test
    void ofNewRows() {
        run(ExitCode.DONE, "edit_distance", "--input-where=id < 5");
        run(ExitCode.DONE, "edit_distance", "--output-mode=append --output-skip-existing");
        checkKept("out", List.of(""), 12);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--pairing=all-vs-all",
                "--pairing=all-vs-all --results=edit_distance,edit_cigar --best=2 per __row_a_a by edit_distance",
                "--pairing=cross --targets=@/targets --verify=1",
                "--pairing=cross --targets=@/targets --results=edit_distance,edit_cigar --best=2 per id_a by edit_distance",
                "--pairing=within --max-distance=3",
                "--pairing=within --max-distance=3 --targets=@/targets --block-on=block",
                "--pairing=nearest --top=2 --targets=@/targets",
                "--pairing=nearest --top=2 --targets=@/targets --block-on=block"
            })
    void ofPairs(String flags) {
        run(ExitCode.DONE, "edit_distance", "--argument=a " + flags);
        checkKept("out", List.of("_a", "_b"), 4);
    }

    @Test
    void ofJoinedRows() {
        run(
                ExitCode.QUARANTINED,
                "edit_distance",
                "--pairing=join --targets=@/targets --block-on=block --argument=a_a --argument=if(id_b = 5, string(1 div 0), b_b) "
                        + "--on-bad-row=quarantine");
        checkKept("out", List.of("_a", "_b"), 4);
    }

    /** The parameter {@code factor} makes the input count as small or as large. */
    @ParameterizedTest
    @CsvSource({
        "--max-distance=1, 1",
        "--max-distance=1 --block-on=block, 1e9",
        "--max-distance=1 --linkage=complete, 1",
        "--max-distance=1 --linkage=complete, 1e9"
    })
    void ofClusters(String flags, String factor) {
        SparkConf settings = spark.sparkContext().conf();
        settings.set("spark.sql.sources.fileCompressionFactor", factor);
        try {
            run(ExitCode.DONE, "edit_distance", "--results=cluster --pairing=within --argument=a " + flags);
        } finally {
            settings.remove("spark.sql.sources.fileCompressionFactor");
        }
        checkKept("out", List.of(""), 12);
    }

    @Test
    void ofQuarantinedSequences() {
        run(
                ExitCode.QUARANTINED,
                "hidden_markov_training",
                "--states=2 --iterations=2 --argument=transform(symbols, x -> int(number) * 0 + x) "
                        + "--on-bad-row=quarantine");
        checkKept("out/_bellman/quarantine", List.of(""), 1);
    }

    @ParameterizedTest
    @CsvSource({
        "_BELLMAN_x, fail",
        "_bellman_row, quarantine",
        "_bellman_malformed, fail",
        "_bellman_malformed, null",
        "_bellman_malformed, quarantine",
        "_Bellman_Record, quarantine"
    })
    void reservedNames(String name, String onBadRow) throws IOException {
        Files.writeString(folder.resolve("reserved.csv"), "id,a,b," + name + "\n1,x,y,z\n");
        CommandLineRun.ofJob(folder, "edit_distance", "reserved.csv", "--on-bad-row=" + onBadRow)
                .assertCode(ExitCode.INPUT)
                .contains("[BELLMAN_INPUT_SCHEMA]", "the input has a column '%s'".formatted(name), "rename");
    }
}
