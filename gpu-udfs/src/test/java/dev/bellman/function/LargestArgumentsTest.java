package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No row ends the process, however large: {@link LargestArguments} with a heap of 1 GB solves or refuses each. */
class LargestArgumentsTest {
    @TempDir
    Path folder;

    @Test
    void everyFunction() throws IOException, InterruptedException {
        check("auto");
    }

    @Test
    @Tag("thorough")
    void everyStrategy() throws IOException, InterruptedException {
        check("all");
    }

    private void check(String strategies) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-") || argument.startsWith("-XX:"))
                .forEach(command::add);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), LargestArguments.class.getName(), strategies));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(20, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        String lines = Files.readString(log);
        assertThat(lines).doesNotContain(LargestArguments.FAILED).contains(LargestArguments.DONE);
        assertThat(process.exitValue()).isZero();
    }
}
