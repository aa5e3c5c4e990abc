package dev.bellman.job.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.terminal.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts how often a command lists the files of an input, which takes seconds for large folders. */
class ListingsTest {
    /** Local files at {@code counted:/path}. */
    public static final class Counted extends RawLocalFileSystem {
        private static final List<String> LISTED = Collections.synchronizedList(new ArrayList<>());
        /** A file that is deleted after the first listing. */
        private static Path deleted;

        @Override
        public URI getUri() {
            return URI.create("counted:///");
        }

        /** Lists a folder; all other methods that list folders call this one. */
        @Override
        public FileStatus[] listStatus(org.apache.hadoop.fs.Path path) throws IOException {
            LISTED.add(path.toUri().getPath());
            FileStatus[] listed = super.listStatus(path);
            if (deleted != null) {
                Files.deleteIfExists(deleted);
            }
            return listed;
        }
    }

    @TempDir
    Path folder;

    @BeforeEach
    void setUp() throws IOException {
        Counted.deleted = null;
        Counted.LISTED.clear();
        LocalSpark.session()
                .sparkContext()
                .hadoopConfiguration()
                .setClass("fs.counted.impl", Counted.class, RawLocalFileSystem.class);
        Path input = Files.createDirectory(folder.resolve("in"));
        for (int i = 0; i < 3; i++) {
            Files.writeString(input.resolve(i + ".csv"), "id,a,b\n%d,kitten,sitting\n".formatted(i));
        }
        LocalSpark.session()
                .read()
                .option("header", true)
                .csv(input.toString())
                .write()
                .parquet(folder.resolve("parquet").toString());
    }

    /**
     * A run lists an input once to check it, and Spark lists it once to read it. Each part of a run checks again that
     * the input is unchanged, and a verification reads the input again.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --input-format=csv | 2
                    --input-format=csv --dry-run | 2
                    --input-format=parquet | 2
                    --input-format=parquet --dry-run | 2
                    --input-format=csv --pairing=all-vs-all --argument=a --best=1~per~id_a | 2
                    --input-format=csv --pairing=within --argument=a --max-distance=2 --results=cluster | 2
                    --input-format=csv --pairing=within --argument=a --max-distance=2 --dry-run | 2
                    --input-format=csv --pairing=cross --argument=a --targets=SAME --targets-format=csv | 3
                    --input-format=csv --output-parts=2 --resume | 4
                    --input-format=csv --verify=1 | 4
                    """)
    void listings(String flags, int expected) {
        String input = "%s/%s".formatted(folder, flags.contains("parquet") ? "parquet" : "in");
        CommandLineRun run = CommandLineRun.of(Stream.concat(
                        Stream.of(
                                "run",
                                "--problem=edit_distance",
                                "--input=counted:" + input,
                                "--output=" + folder.resolve("out")),
                        Arrays.stream(flags.replace("SAME", "counted:" + input).split(" "))
                                .map(flag -> flag.replace('~', ' ')))
                .toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        assertThat(Counted.LISTED).isEqualTo(Collections.nCopies(expected, input));
    }

    /** Jobs of one file are checked before the first one runs. A later run lists its input to find changes. */
    @Test
    void twoJobs() throws IOException {
        String job = "{problem: edit_distance, name: n%d, input: {path: 'counted:%s/in', format: csv}, "
                + "output: {path: %s/out%1$d}}\n";
        Path file = Files.writeString(
                folder.resolve("jobs.yaml"),
                job.formatted(1, folder, folder) + "---\n" + job.formatted(2, folder, folder));
        CommandLineRun run = CommandLineRun.of("run", file.toString());
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        assertThat(Counted.LISTED).hasSize(2 * 3);
    }

    /** A run fails if a file disappears between the two listings. */
    @Test
    void aFileIsDeleted() {
        Counted.deleted = folder.resolve("in/1.csv");
        CommandLineRun run = CommandLineRun.of(
                "run",
                "--problem=edit_distance",
                "--input=counted:%s/in".formatted(folder),
                "--input-format=csv",
                "--output=" + folder.resolve("out"));
        assertThat(run.code()).isEqualTo(ExitCode.INPUT);
        assertThat(run.err())
                .contains("[BELLMAN_INPUT_READ]", "in/1.csv was deleted while the job was reading its input; run the");
        assertThat(folder.resolve("out")).doesNotExist();
    }
}
