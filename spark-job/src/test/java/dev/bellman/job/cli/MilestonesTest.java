package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MilestonesTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    @Test
    void verboseRunsPrintThem() throws IOException {
        Files.writeString(folder.resolve("pairs.csv"), "a,b\nkitten,sitting\n");

        CommandLineRun run = CommandLineRun.ofJob(folder, "edit_distance", "pairs.csv", "--verbose", "--name=first");
        CommandLineRun again = CommandLineRun.ofJob(folder, "edit_distance", "pairs.csv", "--verbose");
        CommandLineRun quiet = CommandLineRun.ofJob(folder, "edit_distance", "pairs.csv", "--output-mode=overwrite");

        run.assertDone();
        assertThat(run.err())
                .containsSubsequence(
                        "milliseconds since the start:",
                        " Java\n",
                        " command line read\n",
                        " inputs checked\n",
                        " session open\n",
                        " end of first: input\n",
                        " first stage of first: solve\n",
                        " end of first: solve\n",
                        " first: committed\n",
                        " end of job first\n",
                        " session closed\n");
        // a failed run has milestones too, and only its own
        again.assertCode(ExitCode.INPUT).contains(" command line read\n").doesNotContain("end of job first");
        assertThat(quiet.err()).isEmpty();
    }

    /** A session without a GPU is stopped. This version of Spark has the hooks that delete temporary files. */
    @Test
    void onlySessionsWithAGpuAreLeft() throws ReflectiveOperationException {
        assertThat(ProcessEnd.leaves(spark.sparkContext())).isFalse();
        assertThat(ProcessEnd.deletions().stream().map(ProcessEnd.Deletion::priority))
                .contains(25, 26)
                .isSortedAccordingTo(Comparator.reverseOrder());
    }
}
