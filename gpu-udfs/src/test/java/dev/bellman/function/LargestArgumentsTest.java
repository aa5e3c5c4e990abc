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

/**
 * No row, however large, ends a process with a small heap. {@link LargestArguments} and {@link HostileTexts} run in
 * such processes.
 */
class LargestArgumentsTest {
    @TempDir
    Path folder;

    @Test
    void everyFunction() throws IOException, InterruptedException {
        check("384m", LargestArguments.class, "auto");
    }

    @Test
    @Tag("thorough")
    void everyStrategy() throws IOException, InterruptedException {
        check("1g", LargestArguments.class, "all");
    }

    /**
     * Tests models such as costs, grammars and profiles: their memory is reserved, and they are parsed in linear time.
     */
    @Test
    void hostileModels() throws IOException, InterruptedException {
        check("384m", HostileTexts.class, "400000", "models");
    }

    @Test
    @Tag("thorough")
    void hostileTexts() throws IOException, InterruptedException {
        check("1g", HostileTexts.class, "10000000", "all");
    }

    private void check(String heap, Class<?> main, String... arguments) throws IOException, InterruptedException {
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
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
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
