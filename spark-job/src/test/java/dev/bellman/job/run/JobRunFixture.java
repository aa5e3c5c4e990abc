package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The code that {@link JobRunTest} and {@link RefusedJobsTest} share. */
abstract class JobRunFixture {
    @TempDir
    Path folder;

    Path pairs;
    Path output;

    @BeforeEach
    void writePairs() throws IOException {
        pairs = folder.resolve("pairs.tsv");
        output = folder.resolve("out");
        Files.writeString(pairs, """
                id	a	b	lang
                1	kitten	sitting	en
                2	flaw	lawn	en
                3	h\u00e4user	hauser	de
                4		x	de
                """);
    }

    CommandLineRun run(String... more) {
        return solve("edit_distance", more);
    }

    CommandLineRun solve(String problem, String... more) {
        return CommandLineRun.of(Stream.concat(
                        Stream.of("run", "--problem=" + problem, "--input=" + pairs, "--output=" + output),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    List<String> namesInFolder() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    void expect(CommandLineRun run, ExitCode code, String error, String message) {
        assertThat(run.err())
                .startsWith("error: [" + error + "] ")
                .contains(message)
                .hasLineCount(1);
        assertThat(run.code()).isEqualTo(code);
        assertThat(Files.exists(output)).isFalse();
    }
}
