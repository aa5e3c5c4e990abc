package dev.bellman.job.output;

import dev.bellman.job.output.FaultyFileSystem.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The code that {@link StagedOutputTest} and {@link KilledOutputTest} share. */
abstract class StagedOutputFixture {
    static final String REPORT = "_bellman/report.json";

    @TempDir
    Path folder;

    List<String> names = List.of(
            "part-0", "part-1", "lang=de/part-0", "lang=en/town=a/part-0", "_SUCCESS", "_bellman/quarantine/part-0");

    final Configuration configuration = FaultyFileSystem.configuration();
    final List<String> notes = new ArrayList<>();

    @AfterEach
    void noMoreFaults() {
        FaultyFileSystem.plan(Fault.NONE, 0);
        FaultyFileSystem.beforeRename(() -> {});
    }

    StagedOutput open(String scheme, SaveMode mode) {
        return StagedOutput.open(scheme + ":" + folder.resolve("out"), mode, configuration, notes::add);
    }

    /** Writes the files of a run that has this name, and commits. */
    void run(String scheme, String name, SaveMode mode) {
        try (StagedOutput output = open(scheme, mode)) {
            if (output.ignored()) {
                return;
            }
            stage(output, name);
            output.commit();
        }
    }

    /** Writes files as Spark's tasks do, with names that are unique to this run. */
    void stage(StagedOutput output, String name) {
        try {
            Path staging = Path.of(
                    new org.apache.hadoop.fs.Path(output.folder()).toUri().getPath());
            for (String file : names) {
                Path path = staging.resolve(file.endsWith("_SUCCESS") ? file : file + "-" + UUID.randomUUID());
                Files.createDirectories(path.getParent());
                Files.writeString(path, path.endsWith("_SUCCESS") ? "" : name);
            }
            output.write(REPORT, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns, in ascending order, the rows of the output, including bad rows, each with its path, and the name of the
     * run that the report describes.
     */
    List<String> rows() {
        Path output = folder.resolve("out");
        try (Stream<Path> files = Files.exists(output) ? Files.walk(output) : Stream.of()) {
            return files.filter(
                            file -> file.getFileName().toString().startsWith("part-") || file.endsWith(Path.of(REPORT)))
                    .map(file -> output.relativize(file).toString().replaceAll("part-(\\d)-.*", "part-$1") + " "
                            + text(file))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the expected {@link #rows} if the output contains exactly these complete runs, in this order. */
    List<String> rowsOf(String... runs) {
        if (runs.length == 0) {
            return List.of();
        }
        Stream<String> data = names.stream()
                .filter(file -> !file.endsWith("_SUCCESS"))
                .flatMap(file -> Stream.of(runs).map(run -> file + " " + run));
        return Stream.concat(data, Stream.of(REPORT + " " + runs[runs.length - 1]))
                .sorted()
                .toList();
    }

    List<String> besidesTheOutput() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("out"))
                    .toList();
        }
    }

    void clear() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.delete(file);
                }
            }
        }
    }
}
