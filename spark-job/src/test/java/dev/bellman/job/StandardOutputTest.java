package dev.bellman.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.StandardOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandardOutputTest {
    private record Run(ExitCode code, String err) {}

    @ParameterizedTest
    @CsvSource({"No space left on device, FAILURE", "Broken pipe, DONE"})
    void failedCommand(String reason, ExitCode code) {
        for (String command : new String[] {"keys", "functions", "--help", "--version"}) {
            Run run = run(reason, command);

            assertThat(run.code).as(command).isEqualTo(code);
            assertThat(run.err)
                    .startsWith(code == ExitCode.DONE ? "" : "error: [BELLMAN_OUTPUT_WRITE] ")
                    .hasLineCount(code == ExitCode.DONE ? 0 : 1);
        }
    }

    /** A run that has written its rows succeeds, but a dry run only prints. */
    @Test
    void failedRun(@TempDir Path folder) throws IOException {
        LocalSpark.session();
        Path input = Files.writeString(folder.resolve("in.csv"), "id,a,b\n1,x,y\n");
        String[] job = {
            "run", "--problem=edit_distance", "--input=" + input, "--output=" + folder.resolve("out"), "--dry-run"
        };

        assertThat(run("No space left on device", job).code).isEqualTo(ExitCode.FAILURE);
        assertThat(run("No space left on device", Stream.of(job).limit(4).toArray(String[]::new)))
                .isEqualTo(new Run(ExitCode.DONE, ""));
        assertThat(folder.resolve("out/_bellman/report.json")).exists();
    }

    @Test
    void usageErrorsRemain() {
        assertThat(run("No space left on device", "keys", "unknown").code).isEqualTo(ExitCode.USAGE);
    }

    /** Runs a command whose output cannot be written. */
    private static Run run(String reason, String... arguments) {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int next) throws IOException {
                throw new IOException(reason);
            }
        };
        StringWriter err = new StringWriter();
        ExitCode code = Main.execute(
                new PrintWriter(new StandardOutput(broken), true, UTF_8),
                new PrintWriter(err),
                new PrintWriter(Writer.nullWriter()),
                arguments);
        return new Run(code, err.toString());
    }
}
