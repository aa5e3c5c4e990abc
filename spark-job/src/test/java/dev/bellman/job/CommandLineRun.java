package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractStringAssert;

/**
 * A command that ran in this process, in the tests' session: its exit code and its output, except the progress of a
 * slow run.
 */
public record CommandLineRun(ExitCode code, String out, String err) {
    public static CommandLineRun of(String... arguments) {
        LocalSpark.session();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        PrintWriter progress = new PrintWriter(Writer.nullWriter());
        ExitCode code = Main.execute(new PrintWriter(out), new PrintWriter(err), progress, arguments);
        return new CommandLineRun(code, out.toString(), err.toString());
    }

    /** Asserts that the command has succeeded. */
    public CommandLineRun assertDone() {
        assertCode(ExitCode.DONE);
        return this;
    }

    /** Asserts that the command has this exit code. Returns an assertion about its errors. */
    public AbstractStringAssert<?> assertCode(ExitCode expected) {
        assertThat(code).as(err).isEqualTo(expected);
        return assertThat(err);
    }

    /** Reads the report in an output folder. */
    public static JsonNode report(Path output) throws IOException {
        return new ObjectMapper()
                .readTree(output.resolve("_bellman/report.json").toFile());
    }

    /** Runs a job on an input in a folder, with its output in {@code out}. */
    public static CommandLineRun ofJob(Path folder, String problem, Object input, String... more) {
        return ofJob(folder, problem, input, List.of(), more);
    }

    /** Runs a job on an input in a folder, with flags that all runs of a test share. */
    public static CommandLineRun ofJob(Path folder, String problem, Object input, List<String> shared, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--problem=" + problem,
                "--input=" + folder.resolve(input.toString()),
                "--output=" + folder.resolve("out")));
        arguments.addAll(shared);
        arguments.addAll(List.of(more));
        return of(arguments.toArray(String[]::new));
    }
}
