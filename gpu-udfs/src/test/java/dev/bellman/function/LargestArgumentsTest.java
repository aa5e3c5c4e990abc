package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No row ends the process, however large: {@link LargestArguments} with a small heap solves or refuses each. */
class LargestArgumentsTest {
    @TempDir
    Path folder;

    @Test
    void everyFunction() throws IOException, InterruptedException {
        check("auto", "384m");
    }

    @Test
    @Tag("thorough")
    void everyStrategy() throws IOException, InterruptedException {
        check("all", "1g");
    }

    private void check(String strategies, String heap) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + heap));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-") || argument.startsWith("-XX:"))
                .forEach(command::add);
        for (String property : List.of("thorough.part", "thorough.day")) {
            Optional.ofNullable(System.getProperty(property))
                    .ifPresent(value -> command.add("-D%s=%s".formatted(property, value)));
        }
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), LargestArguments.class.getName(), strategies));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }

        String lines = Files.readString(log);
        assertThat(lines).doesNotContain(LargestArguments.FAILED).contains(LargestArguments.DONE);
        assertThat(process.exitValue()).isZero();
    }
}
