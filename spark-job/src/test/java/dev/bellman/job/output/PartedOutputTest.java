package dev.bellman.job.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests parts that a killed run left behind, some of which are damaged later. A part has two files, each of which
 * contains the part's number as text.
 */
class PartedOutputTest {
    private static final int PARTS = 3;

    @TempDir
    Path folder;

    private final List<String> notes = new ArrayList<>();

    private StagedOutput open(SaveMode mode, String resumed) {
        return StagedOutput.open(
                folder.resolve("out").toString(),
                mode,
                StagedOutput.Parts.RESUMED,
                Optional.of(resumed),
                new Configuration(),
                notes::add);
    }

    /**
     * Solves up to this many missing parts, and returns the numbers of the parts that it solved. Commits if all parts
     * exist.
     */
    private List<Integer> solve(int most) throws IOException {
        List<Integer> solved = new ArrayList<>();
        try (StagedOutput output = open(SaveMode.ERROR, "job")) {
            PartedOutput parts = PartedOutput.open(output, PARTS, "job", notes::add);
            for (int part = 0; part < PARTS; part++) {
                if (parts.finished(part).isPresent()) {
                    continue;
                }
                if (solved.size() == most) {
                    return solved;
                }
                Path work = Path.of(parts.folder(part).replaceFirst("^file:", ""));
                Files.createDirectories(work.resolve("lang=en"));
                Files.writeString(work.resolve("part-" + part), part + "\n");
                Files.writeString(work.resolve("lang=en/part-" + part), part + "\n");
                Files.createFile(work.resolve("_SUCCESS"));
                parts.finish(part, Map.of("rows", 2));
                solved.add(part);
            }
            output.write(OutputNames.run("now"), "{\"%s\" : \"job\"}".formatted(StagedOutput.FINGERPRINT));
            parts.complete();
            output.commit();
        }
        return solved;
    }

    private Path staging() {
        return folder.resolve("_out.bellman-staging-parts");
    }

    private List<String> rows() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("out"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .map(file -> folder.resolve("out").relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void goesOnWhereItWasCutOff() throws IOException {
        assertThat(solve(2)).containsExactly(0, 1);
        assertThat(solve(9)).containsExactly(2);
        assertThat(rows())
                .containsExactly("lang=en/part-0", "lang=en/part-1", "lang=en/part-2", "part-0", "part-1", "part-2");
    }

    /** A part with a lost or truncated file is solved again. */
    @Test
    void partsThatLostFiles() throws IOException {
        solve(2);
        Files.delete(staging().resolve("lang=en/part-0"));
        assertThat(solve(0)).isEmpty();
        assertThat(notes).anyMatch(note -> note.startsWith("files of part 1 of 3 are missing"));
        assertThat(staging().resolve("part-0")).doesNotExist();

        Files.writeString(staging().resolve("part-1"), "");
        assertThat(solve(9)).containsExactly(0, 1, 2);
        assertThat(rows()).hasSize(6);
        assertThat(folder.resolve("out/part-1")).hasContent("1");
    }

    /** If the run was killed before it moved all files of a finished part, some are still in the part's folder. */
    @Test
    void filesThatWereNotMovedYet() throws IOException {
        solve(1);
        Path work = Files.createDirectories(staging().resolve("_bellman/part-0"));
        Files.move(staging().resolve("part-0"), work.resolve("part-0"));
        assertThat(solve(9)).containsExactly(1, 2);
        assertThat(rows()).hasSize(6);
    }

    /** Resuming a run that had ended adds nothing, regardless of the mode, unless the job has changed. */
    @Test
    void aRunThatHadEnded() throws IOException {
        solve(9);
        for (SaveMode mode : List.of(SaveMode.ERROR, SaveMode.APPEND, SaveMode.OVERWRITE)) {
            try (StagedOutput output = open(mode, "job")) {
                assertThat(output.isMade()).isTrue();
            }
        }
        assertThat(rows()).hasSize(6);
        try (StagedOutput output = open(SaveMode.APPEND, "other")) {
            assertThat(output.isMade()).isFalse();
        }
        assertThatThrownBy(() -> open(SaveMode.ERROR, "other"))
                .isInstanceOf(BellmanException.class)
                .hasMessageContaining("[BELLMAN_OUTPUT_EXISTS]");
    }
}
