package dev.bellman.job.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobFile;
import dev.bellman.job.spec.JobFlags;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Runs the checks without a session, because in production they run before Spark starts. */
class EarlyCheckTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("pairs.csv"), "id,a,b,w\n1,kitten,sitting,7\n");
    }

    private List<Job> jobs(String text) {
        CommandSpec none = new JobFlags.Options().transform(CommandSpec.create());
        return JobFile.parse(
                "jobs.yaml",
                "jobs",
                text.replace("@", folder.toString()),
                new JobFlags(new CommandLine(none).parseArgs()));
    }

    private void check(String text) {
        EarlyCheck.check(jobs(text), new Configuration());
    }

    private static String job(String more) {
        return "problem: edit_distance\ninput: {path: @/pairs.csv}\noutput: {path: @/out}\n" + more;
    }

    @Test
    void pathsOfAllJobs() {
        assertThatThrownBy(() -> check(
                        job("") + "---\n" + job("").replace("@/out", "@/two").replace("pairs", "none")))
                .hasMessage(
                        "[BELLMAN_INPUT_READ] jobs-2: no input exists at %s/none.csv; relative paths are "
                                + "resolved against the working directory",
                        folder);
        assertThatThrownBy(() -> check(job("targets: {path: @/none.fa}\narguments: [a]\n")))
                .hasMessageContaining("no input exists at %s/none.fa", folder);
        // the second job reads the output that the first job will write
        assertThatCode(() -> check(
                        job("") + "---\n" + job("").replace("@/out", "@/two").replace("@/pairs.csv", "@/out")))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"arguments: [a, c]", "id: c", "keep: [w, c]", "arguments: [c, upper(b)]"})
    void columns(String keys) {
        assertThatThrownBy(() -> check(job(keys)))
                .hasMessageContaining("[BELLMAN_INPUT_SCHEMA] jobs: the input has no column 'c'; it has id, a, b, w");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "arguments: [A, upper(b)]",
                "arguments: [a, current_date]",
                "arguments: [a, nosuch(c)]",
                "keep: [w]",
                "output: {path: @/out, mode: ignore}\nid: c",
            })
    void whatIsInDoubtIsLeftToTheRun(String keys) {
        String all = keys.startsWith("output") ? job("").replaceAll("output.*\n", "") + keys : job(keys);

        assertThatCode(() -> check(all)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc", "tsv"})
    void formats(String format) throws IOException {
        LocalSpark.session();
        String out = folder.resolve("copy." + format).toString();
        CommandLineRun.ofJob(folder, "edit_distance", "pairs.csv", "--keep=w", "--output-format=" + format)
                .assertDone();
        Files.move(folder.resolve("out"), Path.of(out));

        assertThatThrownBy(() -> check(
                        "problem: lcs\ninput: {path: %s, format: %s}\noutput: {path: @/lcs}\n".formatted(out, format)))
                .hasMessageContaining("the input has no column 'a'; it has id, w, edit_distance");
    }

    /** The second job contains an expression that only Spark can check, and the first job does not run. */
    @Test
    void allJobsAreCheckedBeforeTheFirstRuns() throws IOException {
        LocalSpark.session();
        Path file = folder.resolve("jobs.yaml");
        Files.writeString(
                file,
                (job("") + "---\n" + job("arguments: [a, upper(c)]").replace("@/out", "@/two"))
                        .replace("@", folder.toString()));

        CommandLineRun run = CommandLineRun.of("run", file.toString());

        run.assertCode(ExitCode.INPUT).contains("[BELLMAN_INPUT_SCHEMA] jobs-2: the input has no column");
        assertThat(run.out()).isEmpty();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** The output of the second job exists already, so the first job does not run. */
    @Test
    void allOutputsAreCheckedBeforeTheFirstRuns() throws IOException {
        LocalSpark.session();
        Files.createDirectory(folder.resolve("two"));
        Path file = folder.resolve("jobs.yaml");
        Files.writeString(
                file, (job("") + "---\n" + job("").replace("@/out", "@/two")).replace("@", folder.toString()));

        CommandLineRun run = CommandLineRun.of("run", file.toString());

        assertThat(run.err())
                .contains("[BELLMAN_OUTPUT_EXISTS] jobs-2: the output " + folder.resolve("two") + " exists");
        assertThat(folder.resolve("out")).doesNotExist();
    }
}
