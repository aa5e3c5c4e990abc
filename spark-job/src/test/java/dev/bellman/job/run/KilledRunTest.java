package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Strategies;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Main;
import dev.bellman.job.Thorough;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a run that is killed in its own process neither loses nor duplicates rows. */
public class KilledRunTest {
    @TempDir
    Path folder;

    @Test
    @Tag("thorough")
    void leavesNothingWhereAResultIsLookedFor() throws Exception {
        Path output = folder.resolve("out");
        killInTheMiddle(output, "error");

        assertThat(output).doesNotExist();
    }

    @Test
    @Tag("thorough")
    void leavesTheOldOutput() throws Exception {
        Path output = Files.createDirectory(folder.resolve("out"));
        Path old = Files.writeString(output.resolve("part-0.parquet"), "old");
        killInTheMiddle(output, "overwrite");

        assertThat(old).hasContent("old");
        try (Stream<Path> files = Files.list(output)) {
            assertThat(files).containsExactly(old);
        }
    }

    @Test
    void leavesNothingAtAllWhenItIsAskedToEnd() throws Exception {
        Path output = folder.resolve("out");
        endInTheMiddle(output, "error", Process::destroy);

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("pairs.csv", "log");
        }
        assertThat(folder.resolve("log")).content().doesNotContain("Ignoring error");
    }

    /**
     * Runs in one mode follow each other in a process, which is killed at some moment. Afterwards, the output contains
     * the rows of each earlier run once, and either all or none of the rows of the killed run. The next run succeeds.
     */
    @Test
    void losesAndDoublesNothing() throws Exception {
        losesAndDoublesNothing(SaveMode.APPEND, IntStream.of(0));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OVERWRITE_FORCE")
    @Tag("thorough")
    void losesAndDoublesNothingEver(SaveMode mode) throws Exception {
        losesAndDoublesNothing(mode, Thorough.seeds(60));
    }

    private void losesAndDoublesNothing(SaveMode mode, IntStream seeds) throws Exception {
        LocalSpark.session();
        for (int seed : seeds.toArray()) {
            int milliseconds = new Random(31L * seed + mode.ordinal()).nextInt(1500);
            killAtSomeMoment(Files.createDirectory(folder.resolve("kill" + seed)), mode, milliseconds);
        }
    }

    private void killAtSomeMoment(Path place, SaveMode mode, int milliseconds) throws Exception {
        Path log = place.resolve("log");
        Process process = start(log, Runs.class, place.toString(), mode.name());
        try {
            while (Runs.done(log) == 0) {
                assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                Thread.sleep(20);
            }
            Thread.sleep(milliseconds);
        } finally {
            process.destroyForcibly().waitFor();
        }
        int done = Runs.done(log);
        Path output = place.resolve(Runs.output(mode, done + 1));
        String what = "%s, killed after %d ms, %d runs done".formatted(mode, milliseconds, done);

        // recovers the output, and writes rows only if there is no output
        CommandLineRun opened = Runs.run(place, output, SaveMode.IGNORE, 0);
        assertThat(opened.code()).as(what + opened.err()).isEqualTo(ExitCode.DONE);
        List<String> found = rows(output);
        List<String> killed = Runs.rows(done + 1);
        switch (mode) {
            case APPEND -> {
                List<String> before = IntStream.rangeClosed(1, done)
                        .mapToObj(Runs::rows)
                        .flatMap(List::stream)
                        .sorted()
                        .toList();
                List<String> with =
                        Stream.concat(before.stream(), killed.stream()).sorted().toList();
                assertThat(found).as(what).isIn(before, with);
            }
            case OVERWRITE -> assertThat(found).as(what).isIn(Runs.rows(done), killed);
            default -> {
                assertThat(found).as(what).isIn(Runs.rows(0), killed);
                for (int run = 1; run <= done; run++) {
                    assertThat(rows(place.resolve(Runs.output(mode, run)))).isEqualTo(Runs.rows(run));
                }
            }
        }
        SaveMode next = mode == SaveMode.ERROR || mode == SaveMode.IGNORE ? SaveMode.OVERWRITE : mode;
        CommandLineRun after = Runs.run(place, output, next, -1);
        assertThat(after.code()).as(what + after.err()).isEqualTo(ExitCode.DONE);
        assertThat(rows(output))
                .as(what)
                .isEqualTo(
                        next == SaveMode.APPEND
                                ? Stream.concat(found.stream(), Runs.rows(-1).stream())
                                        .sorted()
                                        .toList()
                                : Runs.rows(-1));
        try (Stream<Path> files = Files.list(place)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("_")))
                    .as(what)
                    .isEmpty();
        }
    }

    private static List<String> rows(Path output) {
        return LocalSpark.session().read().parquet(output.toString()).collectAsList().stream()
                .map(row -> row.getString(0))
                .sorted()
                .toList();
    }

    /** Starts runs one after another until the process is killed. */
    static final class Runs {
        private Runs() {}

        public static void main(String[] arguments) throws IOException {
            LocalSpark.session();
            SaveMode mode = SaveMode.valueOf(arguments[1]);
            Path place = Path.of(arguments[0]);
            for (int run = 1; ; run++) {
                CommandLineRun result = run(place, place.resolve(output(mode, run)), mode, run);
                if (result.code() != ExitCode.DONE) {
                    System.out.println(result.err());
                    return;
                }
                System.out.println("done " + run);
            }
        }

        /** Returns the number of completed runs. */
        static int done(Path log) throws IOException {
            return (int) Files.readAllLines(log).stream()
                    .filter(line -> line.matches("done \\d+"))
                    .count();
        }

        static String output(SaveMode mode, int run) {
            return mode == SaveMode.ERROR || mode == SaveMode.IGNORE ? "out" + run : "out";
        }

        /** Returns the ids that a run writes, to several files. */
        static List<String> rows(int run) {
            return IntStream.range(0, 4)
                    .mapToObj(row -> run + " " + row)
                    .sorted()
                    .toList();
        }

        static CommandLineRun run(Path place, Path output, SaveMode mode, int run) throws IOException {
            Path input = place.resolve("in" + run + ".csv");
            Files.writeString(
                    input,
                    rows(run).stream()
                            .map(id -> id + ",kitten,sitting\n")
                            .collect(Collectors.joining("", "id,a,b\n", "")));
            return CommandLineRun.of(
                    "run",
                    "--problem=edit_distance",
                    "--output-partitions=4",
                    "--output-mode=" + Strategies.name(mode),
                    "--input=" + input,
                    "--output=" + output);
        }
    }

    public static Process start(Path log, Class<?> main, String... arguments) throws IOException {
        return start(log, List.of(), main, arguments);
    }

    /** @param options additional options for Java */
    public static Process start(Path log, List<String> options, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument ->
                        argument.startsWith("--add-") || argument.startsWith("-XX") || argument.startsWith("-D"))
                .forEach(command::add);
        // settings that surefire passes to its process in a different way
        for (String property : List.of(
                "log4j2.configurationFile",
                "spark.ui.enabled",
                "spark.sql.shuffle.partitions",
                "spark.hadoop.fs.file.impl")) {
            Optional.ofNullable(System.getProperty(property))
                    .ifPresent(value -> command.add("-D%s=%s".formatted(property, value)));
        }
        command.addAll(List.of(
                "-Xmx1g",
                "-Dspark.master=local[1]",
                // with this interval, the executor sends heartbeats before Spark has started completely
                "-Dspark.executor.heartbeatInterval=20ms",
                "-Dspark.executor.heartbeat.maxFailures=1000000",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private void killInTheMiddle(Path output, String mode) throws IOException, InterruptedException {
        endInTheMiddle(output, mode, Process::destroyForcibly);
        assertThat(isWriting()).isTrue();
    }

    /**
     * Starts a run that takes minutes, because it computes the textbook table for two long strings, and ends it as soon
     * as Spark begins to write.
     */
    private void endInTheMiddle(Path output, String mode, Consumer<Process> end)
            throws IOException, InterruptedException {
        Path pairs = folder.resolve("pairs.csv");
        Files.writeString(pairs, "a,b\n" + "ab".repeat(300_000) + "," + "ba".repeat(300_000) + "\n");
        Process process = start(
                folder.resolve("log"),
                Main.class,
                "run",
                "--problem=edit_distance",
                "--strategy=serial",
                "--input-option=maxCharsPerColumn=-1",
                "--output-mode=" + mode,
                "--input=" + pairs,
                "--output=" + output);
        try {
            while (!isWriting()) {
                assertThat(process.isAlive())
                        .as(Files.readString(folder.resolve("log")))
                        .isTrue();
                Thread.sleep(50);
            }
            end.accept(process);
            process.waitFor();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Whether a folder {@code _temporary} exists, to which the attempts of Spark tasks write. */
    private boolean isWriting() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.getFileName().toString().equals("_temporary"));
        }
    }
}
