package dev.bellman.job.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks which outputs are refused. In the paths, {@code @} is the test's folder and {@code ^} its path relative to the
 * working directory.
 */
class OutputRulesTest {
    private final Configuration configuration = FaultyFileSystem.configuration();

    @TempDir
    Path folder;

    @BeforeEach
    void makeFiles() throws IOException {
        Files.createDirectories(folder.resolve("data/deep"));
        Files.writeString(folder.resolve("data/pairs.csv"), "a,b\n");
        Files.createDirectories(folder.resolve("data2"));
        Files.createDirectories(folder.resolve("set[1]"));
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("data"));
        // an input that reads a different folder through a link
        Files.createDirectories(folder.resolve("linked/x"));
        Files.createSymbolicLink(folder.resolve("linked/x/more"), folder.resolve("data2"));
    }

    private String path(String text) {
        Path relative = Path.of("").toAbsolutePath().relativize(folder);
        return text.replace("@", folder.toString()).replace("^", relative.toString());
    }

    private void check(String input, String output) {
        OutputRules.check(
                List.of(new OutputRules.Paths("job", List.of("/nowhere.csv", path(input)), List.of(path(output)))),
                configuration);
    }

    @ParameterizedTest
    @CsvSource({
        "@/data/pairs.csv, @/data, contains",
        "@/data/pairs.csv, @/data/pairs.csv, is",
        "@/data, @/data, is",
        "@/data, @/data/, is",
        "@/data/, @/data, is",
        "@/data, @/data/out, is inside",
        "@/data, @/data/deep/er/out, is inside",
        "@/data, @, contains",
        "@/data, file:@/data, is",
        "file://@/data/pairs.csv, @/data, contains",
        "@/data, ^/data, is",
        "^/data/pairs.csv, @/data, contains",
        "@/data2/../data/pairs.csv, @/data2/../data, contains",
        "@/data/./pairs.csv, @//data, contains",
        "@/link, @/data, is",
        "@/link/pairs.csv, @/data, contains",
        "@/data, @/link/out, is inside",
        "@/linked, @/data2, is",
        "@/linked, @/data2/out, is inside",
        "'@/data/*.csv', @/data, contains",
        "'@/dat?/{pairs,others}.csv', @/data/pairs.csv, is",
        "'@/*', @/data, is",
        "'@/*', @/out, is",
        "'@/*', @/out/more, is",
        "'@/data/*', @/data/out, is",
        "'@/set[1]', '@/set[1]/out', is inside",
        "faulty:@/data, faulty:@/data/out, is inside"
    })
    void refuses(String input, String output, String relation) {
        assertThatThrownBy(() -> check(input, output))
                .isInstanceOf(BellmanException.class)
                .hasMessageStartingWith("[BELLMAN_OUTPUT_UNSAFE] job: the output ")
                .hasMessageContaining(" " + relation + " the input ");
    }

    @ParameterizedTest
    @CsvSource({
        "@/data/pairs.csv, @/data/out",
        "@/data/pairs.csv, @/data/pairs",
        "@/data, @/data2",
        "@/data2, @/data",
        "@/data, @/data.out",
        "'@/data/*.csv', @/data/out",
        "'@/*/pairs.csv', @/out",
        "'@/set[1]', @/set1",
        "'@/data/{deep/x,pairs.csv}', @/data/out",
        "faulty:@/data, @/data"
    })
    void allows(String input, String output) {
        assertThatCode(() -> check(input, output)).doesNotThrowAnyException();
    }

    @Test
    void namesBothPaths() {
        assertThatThrownBy(() -> check("@/data/pairs.csv", "@/data"))
                .hasMessage(path("[BELLMAN_OUTPUT_UNSAFE] job: the output @/data contains the input @/data/pairs.csv;"
                        + " a job must not write to its input. Choose a different output"));
    }

    @ParameterizedTest
    @CsvSource({
        "@/out, @/out, is",
        "@/out, @/out/b, contains",
        "@/out/b, @/out, is inside",
        "@/data/out, @/link/out/, is"
    })
    void refusesTwoJobsWithOneOutput(String first, String second, String relation) {
        assertThatThrownBy(() -> OutputRules.check(
                        List.of(
                                new OutputRules.Paths("one", List.of("/in"), List.of(path(first))),
                                new OutputRules.Paths("other", List.of("/in"), List.of("/elsewhere")),
                                new OutputRules.Paths("two", List.of("/in"), List.of(path(second)))),
                        configuration))
                .hasMessageStartingWith("[BELLMAN_OUTPUT_UNSAFE] the output ")
                .hasMessageContaining(" of job one " + relation + " the output ")
                .hasMessageContaining(" of job two; ");
    }

    @Test
    void aJobMayReadWhatOneBeforeItWrites() {
        assertThatCode(() -> OutputRules.check(
                        List.of(
                                new OutputRules.Paths("one", List.of("/in"), List.of(path("@/a"))),
                                new OutputRules.Paths("two", List.of(path("@/a")), List.of(path("@/b")))),
                        configuration))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "part-00000-1.snappy.parquet",
                "part-00000",
                ".part-00000.crc",
                "_SUCCESS",
                "._SUCCESS.crc",
                "_metadata",
                "_bellman/report.json",
                "_bellman/quarantine/part-0.parquet",
                "_temporary/0/task/part-0",
                "lang=de/part-0.csv",
                "lang=de/town=a=b/part-0.csv"
            })
    void replacesWhatSparkAndBellmanWrite(String file) throws IOException {
        write(file);
        assertThatCode(() -> OutputRules.mustBeReplaceable(folder.resolve("out").toString(), configuration))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "notes.txt",
                "pairs.csv",
                ".hidden",
                ".git/config",
                "part",
                "department-1",
                "sub/part-0.parquet",
                "sub/_SUCCESS",
                "lang=de/notes.txt",
                "lang=de/sub/part-0",
                "lang=de/_bellman/x",
                "=x/part-0"
            })
    void doesNotReplaceWhatOthersWrote(String file) throws IOException {
        write("part-0");
        write(file);
        assertThatThrownBy(() ->
                        OutputRules.mustBeReplaceable(folder.resolve("out").toString(), configuration))
                .hasMessageStartingWith("[BELLMAN_OUTPUT_UNSAFE] the output " + folder.resolve("out")
                        + " contains files that neither Spark nor Bellman wrote: " + file + ";");
    }

    @Test
    void namesAFewStrangers() throws IOException {
        for (int i = 1; i <= 9; i++) {
            write("x" + i);
        }
        assertThatThrownBy(() ->
                        OutputRules.mustBeReplaceable(folder.resolve("out").toString(), configuration))
                .hasMessageContaining(": x1, x2, x3, ...;");
    }

    @Test
    void anEmptyFolderIsNobodys() throws IOException {
        Files.createDirectories(folder.resolve("out/sub"));
        assertThatCode(() -> OutputRules.mustBeReplaceable(folder.resolve("out").toString(), configuration))
                .doesNotThrowAnyException();
        assertThatCode(() ->
                        OutputRules.mustBeReplaceable(folder.resolve("none").toString(), configuration))
                .doesNotThrowAnyException();
    }

    private void write(String file) throws IOException {
        Path path = folder.resolve("out").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "x");
        assertThat(path).exists();
    }
}
