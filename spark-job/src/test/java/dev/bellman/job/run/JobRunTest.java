package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.format.Format;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests jobs from the command line to the contents of the output. */
class JobRunTest extends JobRunFixture {
    private final SparkSession spark = LocalSpark.session();

    private List<String> written() {
        return LocalSpark.lines(spark.read().parquet(output.toString()));
    }

    private JsonNode report() throws IOException {
        return CommandLineRun.report(output);
    }

    @Test
    void fromTsvToParquet() throws IOException {
        CommandLineRun run = run("--results=edit_distance,edit_cigar", "--keep=lang");

        assertThat(run.err()).isEmpty();
        run.assertDone();
        assertThat(written())
                .containsExactly("[1,en,3,1X3=1X1=1D]", "[2,en,2,1I3=1D]", "[3,de,1,1=1X4=]", "[4,de,null,null]");
        assertThat(output.resolve("_SUCCESS")).exists();
        assertThat(namesInFolder()).containsExactly("out", "pairs.tsv");
        assertThat(run.out())
                .contains(
                        "|edit_cigar|",
                        "job: 4 rows (1 with a NULL argument: no result) in",
                        output + "/_bellman/report.html");

        JsonNode report = report();
        assertThat(report.at("/rowsIn").asLong()).isEqualTo(4);
        assertThat(report.at("/rowsOut").asLong()).isEqualTo(4);
        assertThat(report.at("/rowsQuarantined").asLong()).isZero();
        assertThat(report.at("/cells").asLong()).isEqualTo(2 * (6 * 7 + 4 * 4 + 6 * 6));
        assertThat(report.at("/functions/edit_cigar/engine").asText()).isEqualTo("cpu");
        assertThat(report.at("/functions/edit_cigar/strategy").asText()).isEqualTo("auto");
        assertThat(report.at("/job/problem").asText()).isEqualTo("edit_distance");
        assertThat(report.at("/versions/spark").asText()).isEqualTo(spark.version());
        // this session has no GPU
        assertThat(report.path("versions").fieldNames())
                .toIterable()
                .containsExactly("bellman", "spark", "scala", "java");
        assertThat(report.at("/seconds/solve").asDouble()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc", "csv", "json"})
    void readsAndWrites(String name) {
        Format format = Format.named(name).orElseThrow();
        Dataset<Row> input = Format.TSV.reader(spark, Map.of()).load(pairs.toString());
        pairs = folder.resolve("pairs." + name);
        format.write(input, Map.of()).to(pairs.toString());

        CommandLineRun run = run("--output-format=" + name);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("| id|edit_distance|");
        assertThat(LocalSpark.lines(format.reader(spark, Map.of())
                        .schema("id STRING, edit_distance INT")
                        .load(output.toString())))
                .containsExactly("[1,3]", "[2,2]", "[3,1]", "[4,null]");
    }

    /** CSV, unlike TSV, distinguishes NULL from the empty string. Both formats preserve blanks at the start and end. */
    @Test
    void emptyFieldsAndBlanks() throws IOException {
        pairs = Files.writeString(folder.resolve("pairs.csv"), "id,a,b\n1,,x\n2,\"\",x\n3, x ,y x z\n");
        solve("lcs", "--results=lcs", "--output-format=csv");
        assertThat(LocalSpark.lines(Format.CSV.reader(spark, Map.of()).load(output.toString())))
                .containsExactly("[1,null]", "[2,]", "[3, x ]");

        pairs = output;
        output = folder.resolve("again");
        solve("lcs", "--results=lcs", "--input-format=csv", "--argument=lcs", "--argument=lcs", "--output-format=tsv");
        assertThat(LocalSpark.lines(Format.TSV.reader(spark, Map.of()).load(output.toString())))
                .containsExactly("[1,null]", "[2,null]", "[3, x ]");
    }

    @Test
    void sequencesOfTwoFiles() throws IOException {
        pairs = Files.writeString(folder.resolve("queries.fa"), ">q1 first\nAC\nGT\n>q2\nTTTT\n");
        Path targets = Files.writeString(folder.resolve("targets.fastq"), "@t1\nACGA\n+\nIIII\n");

        CommandLineRun run = run("--targets=" + targets);

        assertThat(run.err()).isEmpty();
        assertThat(written()).containsExactly("[q1,t1,1]", "[q2,t1,4]");
        assertThat(spark.read().parquet(output.toString()).columns()).containsExactly("id_a", "id_b", "edit_distance");
    }

    @Test
    void allPairsOfOneFile() {
        CommandLineRun run = run("--pairing=all-vs-all", "--argument=coalesce(a, '')", "--keep=lang");

        assertThat(run.err()).isEmpty();
        assertThat(written())
                .containsExactly(
                        "[1,2,en,en,6]",
                        "[1,3,en,de,5]",
                        "[1,4,en,de,6]",
                        "[2,3,en,de,6]",
                        "[2,4,en,de,4]",
                        "[3,4,de,de,6]");
    }

    @Test
    void expressionsAndParameters() {
        run("--argument=lower(a)", "--argument=concat(b, 'g')", "--parameter=max=2");

        assertThat(written()).containsExactly("[1,-1]", "[2,-1]", "[3,2]", "[4,null]");
    }

    @Test
    void partitionsDoNotChangeTheAnswer() throws IOException {
        run("--output-partitions=1");
        List<String> one = written();
        output = folder.resolve("seven");
        run("--output-partitions=7", "--strategy=serial");

        assertThat(written()).isEqualTo(one);
        assertThat(report().at("/functions/edit_distance/strategy").asText()).isEqualTo("serial");
    }

    @Test
    void maxRecordsPerFile() throws IOException {
        run("--output-max-records-per-file=1");

        try (Stream<Path> files = Files.list(output)) {
            assertThat(files.filter(file -> file.toString().endsWith(".parquet")))
                    .hasSize(4);
        }
    }

    @Test
    void strategyOfTheConfiguration() throws IOException {
        spark.sparkContext().conf().set("spark.bellman.edit_distance.strategy", "serial");
        try {
            run();
        } finally {
            spark.sparkContext().conf().remove("spark.bellman.edit_distance.strategy");
        }

        assertThat(report().at("/functions/edit_distance/strategy").asText()).isEqualTo("serial");
    }

    @Test
    void dryRunWritesNothing() throws IOException {
        assertThat(run("--dry-run").out()).contains("# size").doesNotContain("# plan", "Scan csv");
        CommandLineRun run = run("--dry-run", "--verbose").assertDone();
        assertThat(run.out())
                .containsPattern(
                        "# size\n\\d+ B of input, 4 rows to solve, about [0-9a-z. ]+, not including the time to "
                                + "write the output\n");
        assertThat(run.out()).contains("problem: edit_distance", "|-- lang: string", "edit_distance(a#", "Scan csv");
        assertThat(namesInFolder()).containsExactly("pairs.tsv");
    }

    @Test
    void saveModes() throws IOException {
        run();
        List<String> first = written();
        Files.writeString(pairs, "id\ta\tb\n9\tx\ty\n");

        CommandLineRun ignored = run("--output-mode=ignore").assertDone();
        assertThat(ignored.out()).contains("nothing was written");
        assertThat(written()).isEqualTo(first);

        assertThat(run("--output-mode=append").err()).isEmpty();
        assertThat(written()).hasSize(5).contains("[9,1]");
        assertThat(report().at("/rowsOut").asLong()).isEqualTo(1);
        assertThat(namesInFolder()).containsExactly("out", "pairs.tsv");

        Files.writeString(pairs, "id\ta\tb\n9\tx\ty\n");
        assertThat(run("--output-mode=append", "--argument=a", "--argument=raise_error(b)")
                        .code())
                .isEqualTo(ExitCode.INPUT);
        assertThat(written()).hasSize(5);

        assertThat(run("--output-mode=overwrite").err()).isEmpty();
        assertThat(written()).containsExactly("[9,1]");
        assertThat(namesInFolder()).containsExactly("out", "pairs.tsv");
    }

    @Test
    void failureLeavesTheOldOutput() throws IOException {
        run();
        List<String> first = written();
        pairs = Files.writeString(folder.resolve("broken.fastq"), "@r1\nACGT\n+\nIIII\n@r2\nAC\n");

        run("--argument=sequence", "--argument=sequence", "--output-mode=overwrite")
                .assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_INPUT_FORMAT] ")
                .hasLineCount(1);
        assertThat(written()).isEqualTo(first);
        assertThat(namesInFolder()).containsExactly("broken.fastq", "out", "pairs.tsv");
    }

    @Test
    void severalJobsOfOneFile() throws IOException {
        Path file = folder.resolve("jobs.yaml");
        Files.writeString(file, """
                name: distance
                problem: edit_distance
                strategy: serial
                input: {path: %1$s}
                output: {path: ignored}
                ---
                name: subsequence
                problem: lcs
                results: [lcs, lcs_length]
                input: {path: %1$s}
                output: {path: ignored}
                """.formatted(pairs));

        CommandLineRun run = CommandLineRun.of("run", file.toString(), "--output=" + output);

        assertThat(run.err()).isEmpty();
        assertThat(LocalSpark.lines(spark.read().parquet(output + "/distance"))).contains("[1,3]");
        assertThat(LocalSpark.lines(spark.read().parquet(output + "/subsequence")))
                .contains("[1,ittn,4]");
    }

    /** The entries in Spark's UI contain the names of the job and of its steps. */
    @Test
    void jobsHaveNames() throws Exception {
        Set<String> names = ConcurrentHashMap.newKeySet();
        SparkListener listener = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart start) {
                names.add(String.valueOf(start.properties().getProperty("spark.job.description")));
            }
        };
        spark.sparkContext().addSparkListener(listener);
        try {
            run("--name=greetings", "--verify=1");
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } finally {
            spark.sparkContext().removeSparkListener(listener);
        }
        assertThat(names)
                .contains("greetings: solve", "greetings: verify")
                .allMatch(name -> name.startsWith("greetings: "));
    }

    @Test
    void emptyInput() throws IOException {
        Files.writeString(pairs, "");
        expect(run(), ExitCode.INPUT, "BELLMAN_INPUT_EMPTY", "its files have 0 bytes");
    }

    @Test
    void reportsFile() throws IOException {
        Path reports = folder.resolve("reports.json");

        CommandLineRun run = run("--reports", reports.toString());

        assertThat(run.err()).isEmpty();
        JsonNode all = new ObjectMapper().readTree(reports.toFile());
        assertThat(all).hasSize(1);
        assertThat(all.get(0)).isEqualTo(CommandLineRun.report(output));
        assertThat(run("--reports", reports.toString(), "--output-mode", "overwrite")
                        .err())
                .contains("[BELLMAN_OUTPUT_EXISTS] --reports: ");
        assertThat(run("--reports", folder.resolve("none/reports.json").toString(), "--output-mode", "overwrite")
                        .err())
                .contains("[BELLMAN_OUTPUT_WRITE] --reports: ");
    }

    /** The strategy that {@code auto} chooses depends on the gap costs of each row. */
    @Test
    void choicesOfRows() throws IOException {
        CommandLineRun run = solve(
                "gap_alignment",
                "--input-where=id < 4",
                "--argument=a",
                "--argument=b",
                "--argument=2L",
                "--argument=-1L",
                "--argument=CASE id WHEN 1 THEN array(3L, 4L, 5L, 6L, 7L, 8L, 9L) WHEN 2 THEN array(3L, 5L, 6L, 6L)"
                        + " ELSE array(1L, 9L, 1L, 9L, 2L, 3L) END");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("strategy auto (affine 1, blocked 1, concave 1)");
        assertThat(report().path("rowsByStrategy").toString()).isEqualTo("{\"affine\":1,\"blocked\":1,\"concave\":1}");
    }

    /** A large graph is solved with the strategy {@code blocked}, and a small one with {@code floyd-warshall}. */
    @Test
    void choicesOfGraphs() throws IOException {
        CommandLineRun run = solve(
                "shortest_paths",
                "--results=shortest_path_next",
                "--input-where=id < 3",
                "--argument=if(id = 1, 600, 3)",
                "--argument=array(named_struct('source', 0, 'target', 1, 'weight', 4L))");

        assertThat(run.err()).isEmpty();
        assertThat(report().path("rowsByStrategy").toString()).isEqualTo("{\"blocked\":1,\"floyd-warshall\":1}");
    }

    /** Strings that hardly differ are aligned with wavefronts, the others with a table. */
    @Test
    void choicesOfAlignments() throws IOException {
        String text = "ACGTTGCA".repeat(50);
        Files.writeString(
                pairs, "id\ta\tb\n1\t%1$s\t%1$s\n2\t%1$s\t%2$s\n3\t%1$s\t%1$sA\n".formatted(text, "T".repeat(400)));

        CommandLineRun run = solve(
                "alignment",
                "--results=alignment_score",
                "--parameter=mode=global",
                "--parameter=scoring=match 2 mismatch -3 open 5 extend 2");

        assertThat(run.out()).contains("wavefront 2");
        assertThat(report().path("rowsByStrategy").path("wavefront").asInt()).isEqualTo(2);
        assertThat(report().path("rowsByStrategy").path("striped").asInt()
                        + report().path("rowsByStrategy").path("serial").asInt())
                .isEqualTo(1);
    }
}
