package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that is killed in the middle, in a process of its own. */
class KilledRunTest {
    @TempDir
    Path folder;

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void leavesNothingWhereAResultIsLookedFor() throws Exception {
        Path output = folder.resolve("out");
        killInTheMiddle(output, "error");

        assertThat(output).doesNotExist();
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void leavesTheOldOutput() throws Exception {
        Path output = Files.createDirectory(folder.resolve("out"));
        Path old = Files.writeString(output.resolve("part-0.parquet"), "old");
        killInTheMiddle(output, "overwrite");

        assertThat(old).hasContent("old");
        try (Stream<Path> files = Files.list(output)) {
            assertThat(files).containsExactly(old);
        }
    }

    /** The textbook table of two texts this long takes minutes; the kill comes as soon as Spark has begun to write. */
    private void killInTheMiddle(Path output, String mode) throws IOException, InterruptedException {
        Path pairs = folder.resolve("pairs.csv");
        Files.writeString(pairs, "a,b\n" + "ab".repeat(300_000) + "," + "ba".repeat(300_000) + "\n");
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument ->
                        argument.startsWith("--add-") || argument.startsWith("-XX") || argument.startsWith("-D"))
                .forEach(command::add);
        command.addAll(List.of(
                "-Dspark.master=local[1]",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run",
                "--problem=edit_distance",
                "--strategy=serial",
                "--input-option=maxCharsPerColumn=-1",
                "--mode=" + mode,
                "--input=" + pairs,
                "--output=" + output));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            while (!isWriting()) {
                assertThat(process.isAlive())
                        .as(Files.readString(folder.resolve("log")))
                        .isTrue();
                Thread.sleep(50);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(isWriting()).isTrue();
    }

    /** Whether there is a hidden folder with an attempt of Spark in it. */
    private boolean isWriting() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.getFileName().toString().equals("_temporary"));
        }
    }
}
