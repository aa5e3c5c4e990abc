package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.function.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @Test
    void help() {
        CommandLineRun run = CommandLineRun.of("--help");

        assertThat(run.code()).isEqualTo(ExitCode.DONE);
        assertThat(run.out()).contains("run", "functions", "bench", "Exit codes: 0 done");
    }

    @Test
    void version() {
        assertThat(CommandLineRun.of("--version").out())
                .isEqualTo(CommandLineRun.of("generate", "pairs", "--version").out())
                .matches("(?s)bellman \\d+\\.\\S+\nspark 4\\.\\S+\nscala 2\\.13\\S+\njava \\S+\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rn", "run --strateg x", "bench", "run a.yaml b.yaml", "functions --format html"})
    void wrongUsage(String line) {
        CommandLineRun run = CommandLineRun.of(line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("error: [BELLMAN_USAGE] ").contains("--help");
    }

    @Test
    void functions() {
        String table = CommandLineRun.of("functions").out();
        String markdown = CommandLineRun.of("functions", "--format", "markdown").out();

        assertThat(Catalogue.functions()).extracting(BellmanFunction::name).allSatisfy(name -> {
            assertThat(table).contains("  " + name + "(");
            assertThat(markdown).contains("| `" + name + "(");
        });
    }

    /** If this fails, put what {@code submit/bellman functions --format markdown} prints between the marks. */
    @Test
    void readmeHasTheFunctions() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));

        assertThat(readme.split("<!-- functions.*-->\n|<!-- end of functions -->")[1])
                .isEqualTo(
                        CommandLineRun.of("functions", "--format", "markdown").out());
    }
}
