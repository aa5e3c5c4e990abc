package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.output.FaultyRun;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the effects of jobs on their output folders, and on the neighbouring folders. */
class OutputTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private Path data;
    private Path pairs;

    @BeforeEach
    void writePairs() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        pairs = Files.writeString(data.resolve("pairs.csv"), "id,a,b\n1,kitten,sitting\n2,flaw,lawn\n");
    }

    private static CommandLineRun run(Object input, Object output, String... more) {
        return CommandLineRun.of(Stream.concat(
                        Stream.of("run", "--problem=edit_distance", "--input=" + input, "--output=" + output),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private List<String> rows(Path output) {
        return LocalSpark.lines(spark.read().option("__globPaths__", "false").parquet(output.toString()));
    }

    private List<String> tree() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"overwrite", "overwrite-force", "append", "error", "ignore"})
    void noModeWritesOverAnInput(String mode) throws IOException {
        List<String> before = tree();
        run(pairs, data, "--output-mode=" + mode)
                .assertCode(ExitCode.INPUT)
                .isEqualTo("error: [BELLMAN_OUTPUT_UNSAFE] job: the output %s contains the input %s;"
                                .formatted(data, pairs)
                        + " a job must not write to its input. Choose a different output\n");
        assertThat(tree()).isEqualTo(before);
    }

    /** Hadoop, and thus Spark, sets the permissions of files by a setting, and not by the umask of the process. */
    @ParameterizedTest
    @ValueSource(strings = {"077", "027", "002"})
    void reportsHaveThePermissionsOfData(String umask) throws IOException {
        Configuration hadoop = spark.sparkContext().hadoopConfiguration();
        hadoop.set("fs.permissions.umask-mode", umask);
        hadoop.set("fs.file.impl.disable.cache", "true");
        try {
            run(pairs, folder.resolve("out")).assertDone();
        } finally {
            hadoop.unset("fs.permissions.umask-mode");
            hadoop.unset("fs.file.impl.disable.cache");
        }
        try (Stream<Path> files = Files.walk(folder.resolve("out"))) {
            assertThat(files).hasSizeGreaterThan(6).allSatisfy(file -> assertThat(
                            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo((Files.isDirectory(file) ? FsPermission.getDirDefault() : FsPermission.getFileDefault())
                            .applyUMask(new FsPermission(umask))
                            .toString()));
        }
    }

    @Test
    void tsvFilesHaveTheirOwnExtension() throws IOException {
        String[] flags = {"--output-format=tsv", "--output-mode=append", "--output-option=compression=gzip"};
        run(pairs, folder.resolve("out"), flags).assertDone();
        run(pairs, folder.resolve("out"), flags).assertDone();
        assertThat(tree())
                .filteredOn(file -> file.startsWith("out/part-"))
                .hasSize(2)
                .allMatch(file -> file.endsWith(".tsv.gz"));
        run(
                        folder.resolve("out"),
                        folder.resolve("again"),
                        "--input-format=tsv",
                        "--argument=string(id)",
                        "--argument=string(id)")
                .assertDone();
        assertThat(run(pairs, folder.resolve("out"), "--output-format=csv", "--output-mode=append")
                        .err())
                .contains("contains tsv files, not csv");
    }

    /** An output path is not a pattern, not even if the output is partitioned. */
    @Test
    void pathsThatLookLikePatterns() throws IOException {
        Path output = folder.resolve("out[1] {a,b}*");
        for (int times = 1; times <= 2; times++) {
            CommandLineRun run = run(
                            pairs, output, "--keep=b", "--output-partition-by=b", "--output-mode=append", "--verify=1")
                    .assertDone();
            assertThat(run.out()).contains("edit_distance");
        }
    }

    @Test
    void targetsAreInputsToo() throws IOException {
        Path targets = Files.createDirectory(folder.resolve("targets"));
        Files.copy(pairs, targets.resolve("t.csv"));
        assertThat(run(pairs, targets, "--targets=" + targets + "/t.csv", "--argument=a", "--output-mode=overwrite")
                        .err())
                .contains("BELLMAN_OUTPUT_UNSAFE", targets.toString(), "t.csv");
        assertThat(targets.resolve("t.csv")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "a/b", "/tmp", "'  '", "'a\\b'", "\"a\\nb\""})
    void namesThatAreNoFolders(String name) throws IOException {
        Path project = Files.createDirectory(folder.resolve("project"));
        Path precious = Files.writeString(project.resolve("precious"), "");
        Path file = folder.resolve("jobs.yaml");
        Files.writeString(file, """
                {name: first, problem: lcs, input: {path: %1$s}, output: {path: x}}
                ---
                {name: %2$s, problem: lcs, input: {path: %1$s}, output: {path: x}}
                """.formatted(pairs, name));
        CommandLineRun.of("run", file.toString(), "--output=" + project + "/out", "--output-mode=overwrite-force")
                .assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_JOB_FILE] ")
                .contains("jobs.yaml:3:8: name is '")
                .contains("it must not be blank, . or .., or contain slashes");
        assertThat(precious).exists();
        assertThat(project.resolve("out")).doesNotExist();
    }

    @Test
    void twoJobsWithOneOutputBeginNeither() throws IOException {
        Path file = folder.resolve("jobs.yaml");
        Files.writeString(file, """
                {name: one, problem: lcs, input: {path: %1$s}, output: {path: %2$s/out}}
                ---
                {name: two, problem: lcs, input: {path: %1$s}, output: {path: %2$s/out/two, mode: overwrite}}
                """.formatted(pairs, folder));
        CommandLineRun.of("run", file.toString())
                .assertCode(ExitCode.INPUT)
                .contains("of job one contains the output", "of job two");
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(CommandLineRun.of("run", file.toString(), "--output=" + folder.resolve("out"))
                        .err())
                .isEmpty();
    }

    @Test
    void strangersStopAnOverwrite() throws IOException {
        Path output = folder.resolve("out");
        assertThat(run(pairs, output).err()).isEmpty();
        Path notes = Files.writeString(output.resolve("notes.txt"), "mine");

        run(pairs, output, "--output-mode=overwrite")
                .assertCode(ExitCode.INPUT)
                .startsWith("error: [BELLMAN_OUTPUT_UNSAFE] ")
                .contains(": notes.txt;")
                .hasLineCount(1);
        assertThat(notes).hasContent("mine");

        assertThat(CommandLineRun.of("generate", "pairs", "--count=1", "--output=" + output, "--output-mode=overwrite")
                        .err())
                .contains("BELLMAN_OUTPUT_UNSAFE", "notes.txt");
        assertThat(run(pairs, output, "--output-mode=overwrite-force").err()).isEmpty();
        assertThat(notes).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dna-20", "result"})
    void strangersStopABenchmark(String name) throws IOException {
        Path notes =
                Files.writeString(Files.createDirectories(folder.resolve(name)).resolve("notes.txt"), "mine");
        CommandLineRun.of(
                        "bench",
                        "pairs",
                        "--output=" + folder,
                        "--lengths=20",
                        "--alphabets=dna",
                        "--count=10",
                        "--strategies=auto",
                        "--warm-up=0.01")
                .assertCode(ExitCode.INPUT)
                .contains("BELLMAN_OUTPUT_UNSAFE", "notes.txt");
        assertThat(notes).hasContent("mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"overwrite-force", "append", "ignore"})
    void anOutputThatIsAFile(String mode) throws IOException {
        Path file = Files.writeString(folder.resolve("out"), "mine");
        run(pairs, file, "--output-mode=" + mode)
                .assertCode(ExitCode.INPUT)
                .contains("BELLMAN_OUTPUT_UNSAFE", "the output " + file + " is a file");
        assertThat(file).hasContent("mine");
    }

    static List<String> names() {
        return Thorough.cases(1, "*? ü=%20", "{a,b}", "run[1]", "a\\b");
    }

    /** Tests names that Hadoop would interpret as patterns, and names that URIs escape. */
    @ParameterizedTest
    @MethodSource("names")
    void pathsAreNoPatterns(String name) {
        Path output = folder.resolve(name);
        CommandLineRun run = run(pairs, output, "--output-format=csv");
        assertThat(run.err()).isEmpty();
        run.assertDone();
        assertThat(run.out()).contains("| id|edit_distance|", "|  1|", "results  " + output + " (csv)");

        Path again = folder.resolve("again");
        CommandLineRun next = run(output, again, "--input-format=csv", "--argument=id", "--argument=edit_distance");
        assertThat(next.err()).isEmpty();
        assertThat(rows(again)).containsExactly("[1,1]", "[2,0]");
        assertThat(run(pairs, output, "--output-format=csv", "--output-mode=overwrite")
                        .err())
                .isEmpty();
        assertThat(run(pairs, output, "--output-format=csv", "--output-mode=append")
                        .err())
                .isEmpty();
    }

    @Test
    void aPatternMatchesWhereNothingHasThatName() throws IOException {
        Files.writeString(data.resolve("more.csv"), "id,a,b\n3,x,y\n");
        assertThat(run(data + "/{pairs,mor*}.csv", folder.resolve("out")).err()).isEmpty();
        assertThat(rows(folder.resolve("out"))).containsExactly("[1,3]", "[2,2]", "[3,1]");

        Files.writeString(data.resolve("[mp]*.csv"), "id,a,b\n4,x,y\n");
        assertThat(run(data + "/[mp]*.csv", folder.resolve("literal")).err()).isEmpty();
        assertThat(rows(folder.resolve("literal"))).containsExactly("[4,1]");
    }

    static List<Arguments> compressed() {
        return Thorough.cases(
                1,
                arguments("parquet", "gzip"),
                arguments("csv", "none"),
                arguments("orc", "zstd"),
                arguments("csv", "gzip"));
    }

    @ParameterizedTest
    @MethodSource("compressed")
    void aHugeRowIsNotShown(String format, String compression) {
        String huge = folder.resolve("huge").toString();
        spark.sql("SELECT 1 AS id, 'x' AS a, 'y' AS b, repeat('ab', 9000000) AS text")
                .write()
                .parquet(huge);
        CommandLineRun run = run(
                huge,
                folder.resolve("out"),
                "--keep=text",
                "--output-format=" + format,
                "--output-option=compression=" + compression);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith("job: 1 row in ").doesNotContain("abab");
    }

    @Test
    void manyRowsAreShownWhateverTheCompression() {
        for (String format : List.of("parquet", "orc", "csv", "json")) {
            CommandLineRun run = run(
                    pairs,
                    folder.resolve(format),
                    "--output-format=" + format,
                    "--output-option=compression=gzip".replace("gzip", format.equals("orc") ? "zlib" : "gzip"));
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).as(format).contains("| id|edit_distance|", "|  2|            2|");
        }
    }

    static List<String> schemes() {
        return Thorough.cases(1, "faulty", "store");
    }

    /** Any failure while Spark writes, or later, is an output error, and leaves no files behind. */
    @ParameterizedTest
    @MethodSource("schemes")
    void aDiskThatIsFull(String scheme) throws IOException {
        FaultyRun.configure(spark.sparkContext().hadoopConfiguration());
        List<String> before = tree();
        int failures = 0;
        for (int step = 0; ; step += Thorough.stride(3)) {
            int at = step;
            CommandLineRun run = FaultyRun.failingAt(
                    at, () -> run(pairs, scheme + ":" + folder.resolve("out"), "--output-format=json"));
            if (!FaultyRun.happened()) {
                assertThat(run.err()).isEmpty();
                break;
            }
            if (run.code() != ExitCode.DONE) {
                failures++;
                run.assertCode(ExitCode.FAILURE)
                        .as("step %d", step)
                        .startsWith("error: [BELLMAN_OUTPUT_WRITE] ")
                        .contains("No space left on device")
                        .hasLineCount(1);
                assertThat(tree()).as("step %d", step).isEqualTo(before);
            } else {
                // the failure affected a folder that is not needed, or a folder that the run had to remove
                assertThat(run(pairs, scheme + ":" + folder.resolve("out"), "--output-mode=overwrite-force")
                                .err())
                        .isEmpty();
                org.apache.commons.io.FileUtils.deleteDirectory(
                        folder.resolve("out").toFile());
            }
        }
        assertThat(failures).isPositive();
    }
}
