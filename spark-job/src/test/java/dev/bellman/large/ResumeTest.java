package dev.bellman.large;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Main;
import dev.bellman.job.Thorough;
import dev.bellman.job.report.Provenance;
import dev.bellman.job.run.KilledRunTest;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobFile;
import dev.bellman.job.spec.JobFileTest;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests runs in parts that are killed and resumed. {@code -Dbellman.test.rows=2000000} runs the tests at large scale.
 */
class ResumeTest {
    private static final int ROWS = Integer.getInteger("bellman.test.rows", 3_000);
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private void writePairs(int rows, String name) {
        spark.range(rows)
                .selectExpr("id", "sha2(string(id), 256) AS a", "sha2(string(id + 1), 256) AS b", "id % 3 AS lang")
                .repartition(3)
                .write()
                .parquet(folder.resolve(name).toString());
    }

    private String[] line(String input, String output, String... more) {
        return Stream.concat(
                        Stream.of(
                                "run",
                                "--problem=edit_distance",
                                "--input=" + folder.resolve(input),
                                "--output=" + folder.resolve(output)),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    private CommandLineRun run(String input, String output, String... more) {
        return CommandLineRun.of(line(input, output, more));
    }

    private List<String> written(String output, String... columns) {
        return spark.read().parquet(folder.resolve(output).toString()).selectExpr(columns).collectAsList().stream()
                .map(Row::toString)
                .sorted()
                .toList();
    }

    private JsonNode report(String output) throws IOException {
        return CommandLineRun.report(folder.resolve(output));
    }

    private Path staging() {
        return folder.resolve("_out.bellman-staging-parts");
    }

    @Test
    void inShardsAsAtOnce() throws IOException {
        writePairs(500, "in");
        String[] flags = {
            "--keep=lang", "--output-where=edit_distance < 60", "--output-partition-by=lang", "--verify=0.2"
        };
        run("in", "once", flags);
        run(
                        "in",
                        "out",
                        Stream.concat(Stream.of("--output-parts=3"), Stream.of(flags))
                                .toArray(String[]::new))
                .assertDone();
        assertThat(written("out", "id", "lang", "edit_distance"))
                .hasSizeGreaterThan(100)
                .isEqualTo(written("once", "id", "lang", "edit_distance"));
        for (String number : List.of("rowsIn", "rowsOut", "rowsFiltered", "cells")) {
            assertThat(report("out").path(number)).isEqualTo(report("once").path(number));
        }
        assertThat(folder.resolve("out/_SUCCESS")).exists();
        assertThat(folder.resolve("out/_bellman"))
                .isDirectoryNotContaining(path -> path.toString().contains("part"));
    }

    /** Malformed records are quarantined only once, and the best rows are chosen from the rows of all parts. */
    @Test
    void badRowsAndBest() throws IOException {
        Files.writeString(folder.resolve("q.csv"), "id,seq\n1,aaa\n2,aab\n3\n4,bbb\n5,ab\n");
        Files.writeString(folder.resolve("t.csv"), "id,seq\n7,aaa\n8,aba\n9,bbb\n");
        String[] flags = {
            "--targets=" + folder.resolve("t.csv"),
            "--argument=seq",
            "--on-bad-row=quarantine",
            "--best=1 per id_a",
            "--output-parts=2",
            "--output-mode=append"
        };
        for (int times = 1; times <= 2; times++) {
            CommandLineRun run = run("q.csv", "out", flags);
            assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.QUARANTINED);
            assertThat(written("out", "*")).hasSize(4 * times).contains("[1,7,0]", "[2,7,1]", "[4,9,0]", "[5,8,1]");
            assertThat(written("out/_bellman/quarantine", "record"))
                    .hasSize(times)
                    .containsOnly("[3]");
            assertThat(report("out").path("rowsQuarantined").asInt()).isEqualTo(1);
        }
    }

    /** If a run fails, its finished parts remain, and no other job uses them. */
    @Test
    void partsOfAnotherJob() throws IOException {
        Files.writeString(
                folder.resolve("c.jsonl"),
                Stream.iterate(1, id -> id <= 40, id -> id + 1)
                        .map(id -> "{\"id\": %d, \"dims\": [1, %d, 3]}\n".formatted(id, id == 17 ? 0 : 2))
                        .collect(Collectors.joining()));
        String[] line = {
            "run",
            "--problem=matrix_chain",
            "--input=" + folder.resolve("c.jsonl"),
            "--output-parts=7",
            "--output=" + folder.resolve("out")
        };
        CommandLineRun failed = CommandLineRun.of(line);
        failed.assertCode(ExitCode.INPUT).contains("the row with id 17 is bad");
        assertThat(failed.out())
                .containsPattern(
                        "kept the finished work in .*_out.bellman-staging-parts \\(\\d parts?\\); pass --resume");
        assertThat(staging()).isDirectory();
        assertThat(folder.resolve("out")).doesNotExist();

        CommandLineRun refused =
                CommandLineRun.of(Stream.concat(Stream.of(line), Stream.of("--resume", "--results=matrix_chain_order"))
                        .toArray(String[]::new));
        assertThat(refused.err()).contains("[BELLMAN_JOB_FILE]", "run without --resume to start from the beginning");
        assertThat(refused.out()).contains("kept the finished work in").doesNotContain("pass --resume");
        CommandLineRun fresh = CommandLineRun.of(Stream.concat(Stream.of(line), Stream.of("--on-bad-row=null"))
                        .toArray(String[]::new))
                .assertDone();
        assertThat(fresh.out()).contains("removed", "--resume could have reused its finished ");
        assertThat(folder)
                .isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("_"));
    }

    /** A second --resume adds nothing to the rows that the run has appended, unless the input has changed. */
    @Test
    void nothingToResume() throws IOException {
        Files.writeString(folder.resolve("p.csv"), "id,a,b\n1,x,y\n2,x,y\n");
        String[] flags = {"--output-parts=2", "--output-mode=append", "--resume"};
        run("p.csv", "out", flags).assertDone();
        CommandLineRun again = run("p.csv", "out", flags).assertDone();
        assertThat(again.out()).contains("nothing to resume: the output " + folder.resolve("out"));
        assertThat(written("out", "id")).containsExactly("[1]", "[2]");
        Files.writeString(folder.resolve("p.csv"), "id,a,b\n1,x,y\n2,x,y\n3,x,y\n");
        run("p.csv", "out", flags).assertDone();
        assertThat(written("out", "id")).hasSize(5);
    }

    /** If the run to resume wrote parts, a run without parts is refused instead of starting again. */
    @Test
    void partsAreNotGiven() throws IOException {
        Files.writeString(folder.resolve("p.csv"), "id,a,b\n1,x,y\n");
        Path mark = Files.createDirectories(staging().resolve("_bellman/parts")).resolve("0.json");
        Files.writeString(mark, "{}");
        run("p.csv", "out", "--resume")
                .assertCode(ExitCode.USAGE)
                .contains("[BELLMAN_USAGE]", "set output.parts (--output-parts) to the same number as in the");
        assertThat(mark).exists();
    }

    /** A run can be resumed with different values of the keys that do not affect its rows. */
    @Test
    void keysThatDoNotAffectRows() throws IOException {
        Files.writeString(folder.resolve("p.csv"), "id,a,b\n1,x,y\n");
        String before = fingerprint();

        for (String flag :
                List.of("--name=other", "--engine=cpu", "--verify=0.5", "--restricted", "--output-partitions=3")) {
            assertThat(fingerprint(flag)).as(flag).isEqualTo(before);
        }
        for (String flag : List.of("--keep=a", "--output-mode=append", "--output-parts=2", "--strategy=serial")) {
            assertThat(fingerprint(flag)).as(flag).isNotEqualTo(before);
        }
    }

    private String fingerprint(String... flags) {
        String yaml =
                "{problem: edit_distance, input: {path: %s}, output: {path: o}}".formatted(folder.resolve("p.csv"));
        Job job =
                JobFile.parse("job.yaml", "job", yaml, JobFileTest.flags(flags)).get(0);
        return Provenance.of(job, spark).fingerprint();
    }

    /** All parts of an output are computed from the same input. */
    @Test
    void theInputChangesMeanwhile() throws IOException {
        Path pairs = Files.createDirectory(folder.resolve("in"));
        Path first = Files.writeString(pairs.resolve("1.csv"), "id,a,b\n1,x,y\n");
        Job job = JobFile.parse(
                        "job.yaml",
                        "job",
                        "{problem: edit_distance, input: {path: %s, format: csv}, output: {path: o}}".formatted(pairs),
                        JobFileTest.flags())
                .get(0);
        Provenance before = Provenance.of(job, spark);
        Files.writeString(pairs.resolve("2.csv"), "id,a,b\n2,x,y\n");
        before.inputMustBeUnchanged();
        assertThat(Provenance.of(job, spark).fingerprint()).isNotEqualTo(before.fingerprint());

        Files.writeString(first, "id,a,b\n1,x,yy\n");
        assertThatThrownBy(before::inputMustBeUnchanged)
                .hasMessageContaining("[BELLMAN_INPUT_READ] ")
                .hasMessageContaining("1.csv was changed or deleted while the job was reading its input");
    }

    /** Settings such as the time zone change the meaning of a condition. */
    @Test
    void settingsThatChangeRows() throws IOException {
        Files.writeString(folder.resolve("p.csv"), "id,a,b\n1,x,y\n");
        Job job = JobFile.parse(
                        "job.yaml",
                        "job",
                        "{problem: edit_distance, input: {path: %s}, output: {path: o}}"
                                .formatted(folder.resolve("p.csv")),
                        JobFileTest.flags())
                .get(0);
        SparkSession other = spark.newSession();
        assertThat(Provenance.of(job, other).fingerprint())
                .isEqualTo(Provenance.of(job, spark).fingerprint());
        other.conf().set("spark.sql.session.timeZone", "Asia/Kathmandu");
        assertThat(Provenance.of(job, other).fingerprint())
                .isNotEqualTo(Provenance.of(job, spark).fingerprint());
    }

    @Test
    void whatCannotBeCutIntoShards() throws IOException {
        Files.writeString(folder.resolve("p.csv"), "a,b\nx,y\n");
        assertThat(run("p.csv", "out", "--output-parts=2", "--argument=a", "--argument=uuid()")
                        .err())
                .contains("[BELLMAN_JOB_FILE]", "output.parts divides rows without an id by their values");
        run("p.csv", "out", "--output-parts=2", "--output-mode=overwrite").assertDone();
        assertThat(written("out", "*")).containsExactly("[1]");
    }

    /**
     * The driver is asked to terminate at some moment, and the next run continues. No row is lost or duplicated, and
     * finished parts are not written again.
     */
    @Test
    void goesOn() throws Exception {
        goesOn(IntStream.of(0), "TERM");
    }

    /** A run that continues an interrupted run is also killed. */
    @Test
    @Tag("thorough")
    void goesOnAlways() throws Exception {
        goesOn(Thorough.seeds(40), "TERM", "KILL");
    }

    private void goesOn(IntStream seeds, String... signals) throws Exception {
        writePairs(ROWS, "in");
        run("in", "undisturbed");
        Dataset<Row> undisturbed =
                spark.read().parquet(folder.resolve("undisturbed").toString());
        for (int kill : seeds.toArray()) {
            goesOn(kill, undisturbed, signals);
        }
        assertThat(folder)
                .isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("_"));
    }

    private void goesOn(int kill, Dataset<Row> undisturbed, String... signals) throws Exception {
        Random random = new Random(kill);
        String output = "out" + kill;
        Path staging = folder.resolve("_" + output + ".bellman-staging-parts");
        String[] line = line("in", output, "--output-parts=6", "--output-partitions=2");
        String[] resume = Stream.concat(Stream.of(line), Stream.of("--resume")).toArray(String[]::new);
        Set<String> before = Set.of();
        for (String signal : signals) {
            Path log = folder.resolve("log" + kill + signal);
            int already = finished(staging);
            Process process = KilledRunTest.start(log, Main.class, already == 0 ? line : resume);
            try {
                while (finished(staging) < already + 1 + random.nextInt(2)) {
                    assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                    Thread.sleep(10);
                }
                // the delay is at most about the time that a part takes
                Thread.sleep(random.nextInt(300 + ROWS / 1_000));
            } finally {
                if (signal.equals("TERM")) {
                    process.destroy();
                }
                if (signal.equals("KILL") || !process.waitFor(5, TimeUnit.MINUTES)) {
                    process.destroyForcibly();
                }
                process.waitFor();
            }
            if (Files.isDirectory(folder.resolve(output))) {
                // the run had finished before the kill
                break;
            }
            if (signal.equals("TERM")) {
                assertThat(Files.readString(log))
                        .contains(
                                "interrupted; the output ",
                                "is unchanged",
                                "kept the finished work in",
                                "pass --resume to continue from there")
                        .doesNotContain("error:");
            }
            assertThat(filesOfFinished(staging)).containsAll(before).isNotEmpty();
            before = filesOfFinished(staging);
        }
        String what = "%d, %d finished".formatted(kill, finished(staging));
        boolean ended = Files.isDirectory(folder.resolve(output));
        CommandLineRun resumed = CommandLineRun.of(resume);

        assertThat(resumed.code()).as(what + resumed.err()).isEqualTo(ExitCode.DONE);
        assertThat(resumed.out()).as(what).contains(ended ? "nothing to resume" : " of 6 parts are already finished");
        assertThat(before).as(what).isSubsetOf(names(folder.resolve(output)));
        var rows = spark.read().parquet(folder.resolve(output).toString());
        assertThat(rows.count()).as(what).isEqualTo(ROWS);
        assertThat(rows.exceptAll(undisturbed).isEmpty()).as(what).isTrue();
        assertThat(report(output).path("rowsOut").asInt()).isEqualTo(ROWS);
    }

    private static int finished(Path staging) {
        String[] names = staging.resolve("_bellman/parts").toFile().list((at, name) -> !name.endsWith(".crc"));
        return names == null ? 0 : names.length;
    }

    /** Returns the file names of the completed parts. */
    private static Set<String> filesOfFinished(Path staging) throws IOException {
        try (Stream<Path> marks = Files.list(staging.resolve("_bellman/parts"))) {
            return marks.flatMap(mark -> {
                        try {
                            JsonNode files =
                                    new ObjectMapper().readTree(mark.toFile()).path("files");
                            List<String> names = new ArrayList<>();
                            files.fieldNames().forEachRemaining(names::add);
                            return names.stream();
                        } catch (IOException e) {
                            // the part was incomplete
                            return Stream.<String>of();
                        }
                    })
                    .collect(Collectors.toSet());
        }
    }

    private static Set<String> names(Path output) throws IOException {
        try (Stream<Path> files = Files.list(output)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        }
    }
}
