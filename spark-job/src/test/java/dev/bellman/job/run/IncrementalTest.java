package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.format.Format;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests runs that append to an output every night, and inputs without rows. */
class IncrementalTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private CommandLineRun run(Path input, String... more) {
        return CommandLineRun.ofJob(folder, "edit_distance", input, more);
    }

    private List<String> written(String format, String... columns) {
        return LocalSpark.lines(Format.named(format)
                .orElseThrow()
                .reader(spark, Map.of())
                .load(folder.resolve("out").toString())
                .selectExpr(columns));
    }

    /** Returns the modification time of every file of the output. */
    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(folder.resolve("out"))) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                files.put(file.toString(), Files.getLastModifiedTime(file).toString());
            }
        }
        return files;
    }

    static List<String> formats() {
        return Thorough.cases(2, "parquet", "csv", "json");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void onlyWhatIsNew(String format) throws IOException {
        String[] flags = {"--output-mode=append", "--output-skip-existing", "--output-format=" + format};
        Path monday = write("monday.csv", "id,a,b\n1,kitten,sitting\n2,flaw,lawn\n");
        Path tuesday = write("tuesday.csv", "id,a,b\n2,flaw,other\n3,x,xy\n");

        assertThat(run(monday, flags).out()).contains("job: 2 rows in");
        assertThat(run(tuesday, flags).out()).contains("job: 1 row in");
        assertThat(written(format, "id", "edit_distance")).containsExactly("[1,3]", "[2,2]", "[3,1]");

        Map<String, String> before = files();
        CommandLineRun again = run(tuesday, flags).assertDone();
        assertThat(again.out()).contains("no new rows; the output " + folder.resolve("out") + " is unchanged");
        assertThat(files()).isEqualTo(before);
        assertThat(folder)
                .isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("_"));
    }

    @Test
    void pairsThatAreNew() throws IOException {
        String[] flags = {
            "--output-mode=append",
            "--output-skip-existing",
            "--pairing=all-vs-all",
            "--argument=seq",
            "--output-where=edit_distance < 3"
        };
        run(write("a.csv", "id,seq\n1,aaa\n2,aab\n"), flags);
        CommandLineRun more = run(write("b.csv", "id,seq\n1,aaa\n2,aab\n3,abb\n4,bbb\n"), flags);

        assertThat(more.out()).contains("job: 5 rows, 4 written in");
        assertThat(written("parquet", "*")).containsExactly("[1,2,1]", "[1,3,2]", "[2,3,1]", "[2,4,2]", "[3,4,1]");
    }

    /**
     * The second-best row of a group is not new if the group's best row is in the output, because the group is then
     * known.
     */
    @Test
    void bestStaysBest() throws IOException {
        Path targets = write("t.csv", "id,seq\n7,aaa\n8,aab\n");
        String[] flags = {
            "--output-mode=append",
            "--output-skip-existing",
            "--targets=" + targets,
            "--argument=seq",
            "--best=1 per id_a"
        };
        run(write("q.csv", "id,seq\n1,aaa\n"), flags);
        run(write("q.csv", "id,seq\n1,aaa\n2,aab\n"), flags);

        assertThat(written("parquet", "*")).containsExactly("[1,7,0]", "[2,8,0]");
    }

    @Test
    void rowsThatWereSetAside() throws IOException {
        Path chains =
                write("c.jsonl", "{\"id\": 1, \"dims\": [1, 2, 3]}\n{\"id\": 2, \"dims\": [1, 0, 3]}\nnot json\n");
        String[] line = {
            "run",
            "--problem=matrix_chain",
            "--input=" + chains,
            "--on-bad-row=quarantine",
            "--output-mode=append",
            "--output-skip-existing",
            "--output=" + folder.resolve("out")
        };
        assertThat(CommandLineRun.of(line).code()).isEqualTo(ExitCode.QUARANTINED);
        Map<String, String> before = files();

        CommandLineRun again = CommandLineRun.of(line).assertDone();
        assertThat(again.out()).contains("no new rows");
        assertThat(files()).isEqualTo(before);
    }

    /** Two rows without an id are different rows, so the job must not mistake one for the other. */
    @ParameterizedTest
    @ValueSource(strings = {"null", "\"\""})
    void rowsWithoutAnId(String id) throws IOException {
        Path pairs = write(
                "p.jsonl",
                "{\"id\": \"1\", \"a\": \"x\", \"b\": \"y\"}\n{\"id\": %s, \"a\": \"x\", \"b\": \"y\"}\n"
                        .formatted(id));
        run(pairs, "--output-mode=append", "--output-skip-existing")
                .assertCode(ExitCode.INPUT)
                .contains(
                        "[BELLMAN_INPUT_VALUE]",
                        "output.skipExisting compares rows by id, but a row has a NULL or empty value");
        run(pairs, "--output-mode=append", "--output-skip-existing", "--input-where=id <> ''")
                .assertDone();
        assertThat(written("parquet", "*")).containsExactly("[1,1]");
    }

    /** A quarantined malformed record has no group, but this does not make the group NULL known. */
    @Test
    void malformedRecordsAreNoGroup() throws IOException {
        String[] flags = {
            "--output-mode=append",
            "--output-skip-existing",
            "--on-bad-row=quarantine",
            "--keep=lang",
            "--best=1 per lang"
        };
        assertThat(run(write("1.csv", "id,a,b,lang\n1,x,y,en\n2,x\n"), flags).code())
                .isEqualTo(ExitCode.QUARANTINED);
        run(write("2.csv", "id,a,b,lang\n3,x,x,\n4,x,x,en\n"), flags).assertDone();
        assertThat(written("parquet", "*")).containsExactly("[1,en,1]", "[3,null,0]");
    }

    /** Ids from a text file are compared after conversion to the type that they have in the input. */
    @Test
    void idsAsText() throws IOException {
        Files.createDirectory(folder.resolve("out"));
        write("out/part-0.csv", "id,edit_distance\n02,1\nabc,1\n4294967297,1\n");
        Path pairs = write("p.csv", "id,a,b\n1,x,y\n2,x,y\n");
        run(
                        pairs,
                        "--output-mode=append",
                        "--output-skip-existing",
                        "--output-format=csv",
                        "--input-option=inferSchema=true")
                .assertDone();
        assertThat(written("csv", "id")).containsExactly("[02]", "[1]", "[4294967297]", "[abc]");
    }

    static List<String> kinds() {
        return Thorough.cases(2, "parquet", "tsv", "json");
    }

    /** A run refuses to append to an output with other columns, another format or other partition columns. */
    @ParameterizedTest
    @MethodSource("kinds")
    void outputsOfOtherJobs(String format) throws IOException {
        Path pairs = write("p.csv", "id,a,b,lang\n1,x,y,en\n");
        String[] flags = {
            "--output-format=" + format, "--output-mode=append", "--output-partition-by=lang", "--keep=lang"
        };
        for (int times = 0; times < 2; times++) {
            run(pairs, flags).assertDone();
        }
        Map<String, String> before = files();
        boolean json = format.equals("json");
        Map<String, String> others = Map.of(
                "has the columns (", "--results=edit_cigar",
                "is partitioned by lang, while the job's rows are partitioned by id", "--output-partition-by=id",
                "files, not ", "--output-format=" + (json ? "parquet" : "json"));
        others.forEach((message, change) -> {
            String key = change.split("=")[0];
            CommandLineRun run = run(
                    pairs,
                    Stream.concat(Stream.of(flags).filter(flag -> !flag.startsWith(key)), Stream.of(change))
                            .toArray(String[]::new));
            assertThat(run.code()).as(message).isEqualTo(ExitCode.INPUT);
            assertThat(run.err()).contains("[BELLMAN_JOB_FILE]", "output.mode is append, but", message);
        });
        assertThat(files()).isEqualTo(before);
    }

    /** Returns the text formats first, because a text file without rows may have no columns. */
    static List<String> textFirst() {
        return Thorough.cases(2, "csv", "json", "parquet");
    }

    @ParameterizedTest
    @MethodSource("textFirst")
    void outputsWithoutRows(String format) throws IOException {
        Path pairs = write("p.csv", "id,a,b\n1,x,y\n");
        String[] flags = {"--output-format=" + format, "--output-mode=append", "--output-option=header=false"};
        for (String where : List.of("edit_distance > 5", "edit_distance = 1", "edit_distance = 1")) {
            run(
                            pairs,
                            Stream.concat(Stream.of(flags), Stream.of("--output-where=" + where))
                                    .toArray(String[]::new))
                    .assertDone();
        }
    }

    @Test
    void whatNewOnlyNeeds() throws IOException {
        Path pairs = write("p.csv", "key,a,b\n1,x,y\n");
        assertThat(run(pairs, "--output-skip-existing").err()).contains("set output.mode: append");
        assertThat(run(pairs, "--output-skip-existing", "--output-mode=append").err())
                .contains("[BELLMAN_JOB_FILE]", "skipExisting requires ids");
        run(pairs, "--keep=key");
        assertThat(run(write("i.csv", "id,a,b\n1,x,y\n"), "--output-skip-existing", "--output-mode=append")
                        .err())
                .contains(
                        "[BELLMAN_INPUT_SCHEMA]", "output.skipExisting: the output", "has no column 'id'; it has key");
    }

    /** Each run writes a report. */
    @Test
    void reportsOfRuns() throws IOException {
        Path pairs = write("p.csv", "id,a,b\n1,x,y\n");
        run(pairs, "--output-mode=append");
        run(pairs, "--output-mode=append");

        Path runs = folder.resolve("out/_bellman/runs");
        try (Stream<Path> files = Files.list(runs)) {
            List<Path> reports = files.sorted().toList();
            assertThat(reports)
                    .hasSize(2)
                    .allMatch(file -> file.getFileName().toString().matches("\\d{8}T\\d{6}\\.\\d{3}Z\\.json"));
            assertThat(folder.resolve("out/_bellman/report.json")).hasSameTextualContentAs(reports.get(1));
        }
    }

    @Test
    void inputsWithoutRows() throws IOException {
        CommandLineRun csv = run(write("p.csv", "id,a,b\n")).assertDone();
        assertThat(csv.out())
                .contains("the input %s has no rows".formatted(folder.resolve("p.csv")), "job: 0 rows in")
                .doesNotContain("rows/s");
        assertThat(written("parquet", "*")).isEmpty();

        Path fasta = Files.createFile(folder.resolve("none.fasta"));
        CommandLineRun pairs =
                run(fasta, "--pairing=all-vs-all", "--output-mode=overwrite").assertDone();
        assertThat(pairs.out()).contains("has no rows");
    }
}
