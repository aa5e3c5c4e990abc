package dev.bellman.job.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests malformed CSV, TSV and JSON records, from the command line to the output. */
class MalformedRecordsTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private Path output;

    @BeforeEach
    void chooseOutput() {
        output = folder.resolve("out");
    }

    private CommandLineRun run(Path input, String... more) {
        return CommandLineRun.ofJob(folder, "edit_distance", input, more);
    }

    private List<String> rows(Path path) {
        return LocalSpark.lines(spark.read().parquet(path.toString()));
    }

    private long reported(String count) throws IOException {
        return CommandLineRun.report(output).at("/" + count).asLong();
    }

    /**
     * Returns files whose second record is malformed, each with the number of the record's line, the record, and the
     * expected message.
     */
    static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of("short.csv", "id,a,b\n1,ab,ac\n2,ab\n3,x,y\n", 3, "2,ab", "found 2 fields, expected 3"),
                Arguments.of("long.csv", "id,a,b\n1,ab,ac\n2,ab,c,d\n3,x,y\n", 3, "2,ab,c,d", "found 4 fields"),
                Arguments.of(
                        "unclosed.csv",
                        "id,a,b\n1,ab,ac\n2,ab,\"c\n3,x,y\n",
                        3,
                        "2,ab,\"c",
                        "the line ends inside quotes"),
                Arguments.of(
                        "stray.csv", "id,a,b\n1,ab,ac\n2,a\"b,c\n3,x,y\n", 3, "2,a\"b,c", "field 2 contains a quote"),
                Arguments.of(
                        "after.csv",
                        "id,a,b\n1,ab,ac\n2,\"a\"b,c\n3,x,y\n",
                        3,
                        "2,\"a\"b,c",
                        "field 2 continues after its closing quote"),
                Arguments.of("nul.csv", "id,a,b\n1,ab,ac\n2,a\0b,c\n3,x,y\n", 3, "2,a\0b,c", "found a NUL byte"),
                Arguments.of("short.tsv", "id\ta\tb\n1\tab\tac\n2\n3\tx\ty\n", 3, "2", "found 1 field, expected 3"),
                Arguments.of(
                        "cut.jsonl",
                        "{\"id\":\"1\",\"a\":\"ab\",\"b\":\"ac\"}\n{\"id\":\"2\",\"a\":\"ab\n{\"id\":\"3\",\"a\":\"x\",\"b\":\"y\"}\n",
                        2,
                        "{\"id\":\"2\",\"a\":\"ab",
                        "found an incomplete JSON object"),
                Arguments.of(
                        "two.jsonl",
                        "{\"id\":\"1\",\"a\":\"ab\",\"b\":\"ac\"}\n{\"id\":\"2\"} "
                                + "{\"id\":\"4\"}\n{\"id\":\"3\",\"a\":\"x\",\"b\":\"y\"}\n",
                        2,
                        "{\"id\":\"2\"} {\"id\":\"4\"}",
                        "found text after the JSON object"),
                Arguments.of(
                        "none.jsonl",
                        "{\"id\":\"1\",\"a\":\"ab\",\"b\":\"ac\"}\n null \n{\"id\":\"3\",\"a\":\"x\",\"b\":\"y\"}\n",
                        2,
                        " null ",
                        "found an incomplete JSON object"),
                Arguments.of(
                        "array.jsonl",
                        "{\"id\":\"1\",\"a\":\"ab\",\"b\":\"ac\"}\n[{\"id\":\"2\"}]\n{\"id\":\"3\",\"a\":\"x\",\"b\":\"y\"}\n",
                        2,
                        "[{\"id\":\"2\"}]",
                        "found an incomplete JSON object"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void fail(String name, String text, int line, String record, String reason) throws IOException {
        run(Files.writeString(folder.resolve(name), text))
                .assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_INPUT_FORMAT] job: file:" + folder.resolve(name) + ", line " + line + ": ")
                .contains(reason, "set onBadRow: quarantine to write such records to a separate folder")
                .hasLineCount(1);
        assertThat(output).doesNotExist();
    }

    /** Writes the malformed files of one format to a folder. */
    private List<Arguments> inOneFolder(Path input, String format) throws IOException {
        List<Arguments> files = malformed()
                .filter(file -> file.get()[0].toString().endsWith("." + format))
                .toList();
        for (Arguments file : files) {
            Files.writeString(input.resolve(file.get()[0].toString()), file.get()[1].toString());
        }
        return files;
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "tsv", "jsonl"})
    void quarantine(String format) throws IOException {
        Path input = Files.createDirectory(folder.resolve("in"));
        List<Arguments> files = inOneFolder(input, format);
        run(input, "--input-format=" + format.replace("jsonl", "json"), "--on-bad-row=quarantine")
                .assertCode(ExitCode.QUARANTINED)
                .isEmpty();
        assertThat(rows(output)).isEqualTo(ofEach(files, "[1,1]", "[3,1]"));
        assertThat(reported("rowsIn")).isEqualTo(3L * files.size());
        assertThat(reported("rowsOut")).isEqualTo(2L * files.size());
        assertThat(reported("rowsQuarantined")).isEqualTo(files.size());
        expectRecords(input, files);
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "tsv", "jsonl"})
    void nulls(String format) throws IOException {
        Path input = Files.createDirectory(folder.resolve("in"));
        List<Arguments> files = inOneFolder(input, format);
        // these expressions would turn NULL into a value
        CommandLineRun run = run(
                input,
                "--input-format=" + format.replace("jsonl", "json"),
                "--on-bad-row=null",
                "--argument=coalesce(a, '')",
                "--argument='x'");

        assertThat(run.err()).isEmpty();
        run.assertDone();
        assertThat(rows(output)).isEqualTo(ofEach(files, "[1,2]", "[3,0]", "[null,null]"));
        assertThat(reported("rowsIn")).isEqualTo(3L * files.size());
        assertThat(reported("rowsQuarantined")).isZero();
        expectRecords(input, files);
    }

    private static List<String> ofEach(List<Arguments> files, String... rows) {
        return files.stream().flatMap(file -> Stream.of(rows)).sorted().toList();
    }

    private void expectRecords(Path input, List<Arguments> files) {
        List<Row> all = spark.read()
                .parquet(output.resolve("_bellman/quarantine").toString())
                .collectAsList();
        assertThat(all).hasSameSizeAs(files).allMatch(bad -> bad.getAs("id") == null);
        for (Arguments file : files) {
            Object[] expected = file.get();
            String place = "file:%s, line %s: ".formatted(input.resolve(expected[0].toString()), expected[2]);
            assertThat(all)
                    .filteredOn(bad -> bad.<String>getAs("reason").startsWith(place))
                    .singleElement()
                    .satisfies(bad -> {
                        assertThat(bad.<String>getAs("record")).isEqualTo(expected[3]);
                        assertThat(bad.<String>getAs("reason")).contains(expected[4].toString());
                    });
        }
    }

    /** Malformed records and rows that a function rejects are written to the same folder. */
    @Test
    void besideRejectedRows() throws IOException {
        Path input = Files.writeString(
                folder.resolve("chains.jsonl"), "{\"id\":1,\"dims\":[2,3]}\n{\"id\":2,\"dims\":[2,0]}\n{\"id\":3\n");
        CommandLineRun.of(
                        "run",
                        "--problem=matrix_chain",
                        "--input=" + input,
                        "--output=" + output,
                        "--on-bad-row=quarantine")
                .assertCode(ExitCode.QUARANTINED)
                .isEmpty();
        assertThat(reported("rowsQuarantined")).isEqualTo(2);
        assertThat(rows(output)).containsExactly("[1,0]");
        assertThat(spark.read()
                        .parquet(output.resolve("_bellman/quarantine").toString())
                        .selectExpr("id", "arguments.dims", "record")
                        .collectAsList())
                .extracting(Row::toString)
                .containsExactlyInAnyOrder("[2,ArraySeq(2, 0),null]", "[null,null,{\"id\":3]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross", "all-vs-all"})
    void ofPairs(String pairing) throws IOException {
        Path input = Files.writeString(folder.resolve("words.csv"), "id,word\n1,ab\n2\n3,ac\n");
        List<String> targets = pairing.equals("cross") ? List.of("--targets=" + input) : List.of();
        run(
                        input,
                        Stream.concat(
                                        targets.stream(),
                                        Stream.of("--pairing=" + pairing, "--argument=word", "--on-bad-row=quarantine"))
                                .toArray(String[]::new))
                .assertCode(ExitCode.QUARANTINED)
                .isEmpty();
        assertThat(rows(output)).hasSize(pairing.equals("cross") ? 4 : 1);
        assertThat(reported("rowsQuarantined")).isEqualTo(pairing.equals("cross") ? 2 : 1);
    }

    /** Tests pairs in which only one side can have malformed records. */
    @Test
    void nullsOfPairs() throws IOException {
        Path input = Files.writeString(folder.resolve("words.csv"), "id,sequence\n1,ab\n2\n");
        Path targets = Files.writeString(folder.resolve("t.fasta"), ">t\nac\n");
        CommandLineRun run =
                run(input, "--targets=" + targets, "--argument=coalesce(sequence, 'x') -- or x", "--on-bad-row=null");

        assertThat(run.err()).isEmpty();
        assertThat(rows(output)).containsExactly("[1,t,1]", "[null,t,null]");
    }

    @Test
    void quotesOfRfc4180() throws IOException {
        String text = "id,a,b\r\n\"1\",\"A\"\"C\",\"x,\"\"\"\r\n2,\\\"\"\r\n";
        Path input = Files.writeString(folder.resolve("quotes.csv"), text);
        CommandLineRun run = run(input, "--on-bad-row=quarantine", "--keep=a,b", "--output-format=csv");

        assertThat(run.code()).isEqualTo(ExitCode.QUARANTINED);
        CommandLineRun again = CommandLineRun.of(
                "run",
                "--problem=edit_distance",
                "--input=" + output,
                "--input-format=csv",
                "--keep=a,b",
                "--output=" + folder.resolve("again"));
        assertThat(again.err()).isEmpty();
        assertThat(rows(folder.resolve("again"))).containsExactly("[1,A\"C,x,\",3]");
    }

    @Test
    void lineBreaksInQuotes() throws IOException {
        Path input =
                Files.writeString(folder.resolve("lines.csv"), "id,a,b\r\n1,\"A\r\n\"\"\nC\",D\r\n2,\"\n\",\"\r\"\r\n");

        expect(
                run(input),
                "line 2: the line ends inside quotes; if fields contain line breaks, set the option multiLine: true");
        CommandLineRun run = run(input, "--input-option=multiLine=true", "--keep=a,b");
        assertThat(run.err()).isEmpty();
        assertThat(rows(output)).containsExactly("[1,A\r\n\"\nC,D,6]", "[2,\n,\r,1]");
    }

    @Test
    void jsonOverManyLines() throws IOException {
        Path input = Files.writeString(
                folder.resolve("array.json"),
                "[\n {\"id\": 1,\n  \"a\": \"[x}\",\n \"b\": \"y\"},\n {\"id\": 2, \"a\": \"\\\"\", \"b\": \"\"}\n]\n");
        CommandLineRun run = run(input, "--input-option=multiLine=true");
        assertThat(run.err()).isEmpty();
        assertThat(rows(output)).containsExactly("[1,3]", "[2,1]");

        Files.writeString(input, "{\"id\": 1, \"a\": \"\", \"b\": \"\"}\n{\"id\": 2,\n\"a\": \"\", \"b\": \"x\"}");
        assertThat(run(input, "--input-option=multiLine=true", "--output-mode=overwrite")
                        .err())
                .isEmpty();
        assertThat(rows(output)).containsExactly("[1,0]", "[2,1]");

        Files.writeString(input, "[{\"id\": 1, \"a\": \"\", \"b\": \"\"},\n");
        expect(run(input, "--input-option=multiLine=true", "--output-mode=overwrite"), "the file ends inside an array");
    }

    /** Spark's own option takes precedence over onBadRow. */
    @Test
    void modeOfSpark() throws IOException {
        Path input = Files.writeString(folder.resolve("short.csv"), "id,a,b\n1,ab,ac\n2\n");
        assertThat(run(input, "--input-option=mode=DROPMALFORMED").err()).isEmpty();
        assertThat(rows(output)).containsExactly("[1,1]");
        assertThat(run(input, "--input-option=MODE=permissive", "--output-mode=overwrite")
                        .err())
                .isEmpty();
        assertThat(rows(output)).containsExactly("[1,1]", "[null,null]");
        expect(
                run(input, "--input-option=mode=failfast", "--on-bad-row=null", "--output-mode=overwrite"),
                "line 3: found 1 field, expected");
    }

    @Test
    void typesThatAreInferred() throws IOException {
        Path input = Files.writeString(folder.resolve("typed.csv"), "id,a,b\n1,10,\n2,,7\n3\n");
        CommandLineRun run = run(
                input,
                "--input-option=inferSchema=true",
                "--on-bad-row=quarantine",
                "--argument=coalesce(a + 1, 0)",
                "--argument=coalesce(b, 5)",
                "--keep=a,b");
        assertThat(run.err()).isEmpty();
        assertThat(rows(output)).containsExactly("[1,10,null,2]", "[2,null,7,1]");
    }

    @Test
    void headersOfAFolderMustAgree() throws IOException {
        Path input = Files.createDirectory(folder.resolve("in.csv"));
        Files.writeString(input.resolve("1.csv"), "id,a,b\n1,x,y\n");
        Files.writeString(input.resolve("2.csv"), "id,b,a\n2,x,y\n");
        expect(
                run(input, "--input-format=csv"),
                "line 1: the header is id, b, a, but the first file has the header id, a, b");
    }

    @Test
    void encodings() throws IOException {
        Path input = folder.resolve("latin.csv");
        Files.writeString(input, "id,a,b\n1,ä,ö\n", StandardCharsets.ISO_8859_1);
        expect(run(input), "line 2: the record is not UTF-8; set the encoding in the input options");
        assertThat(run(input, "--input-option=encoding=ISO-8859-1", "--keep=a").err())
                .isEmpty();
        assertThat(rows(output)).containsExactly("[1,ä,1]");

        Files.writeString(input, "\ufeffid,a,b\n1,ä,ö\n");
        assertThat(run(input, "--output-mode=overwrite").err()).isEmpty();
        assertThat(rows(output)).containsExactly("[1,1]");
    }

    private static void expect(CommandLineRun run, String message) {
        run.assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_INPUT_FORMAT] ")
                .contains(message)
                .hasLineCount(1);
    }
}
