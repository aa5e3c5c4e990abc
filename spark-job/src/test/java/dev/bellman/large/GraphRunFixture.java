package dev.bellman.large;

import dev.bellman.job.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Contains the code that {@link GraphRunTest} and {@link BadGraphsTest} share. */
abstract class GraphRunFixture {
    /** A graph that has two paths of the same length from a to d, and an edge from d to é. */
    static final String EDGES = """
            source,target,weight
            a,b,2
            b,d,2
            a,c,3
            c,d,1
            d,é,-1
            """;

    @TempDir
    Path folder;

    CommandLineRun run(String input, String... more) {
        return CommandLineRun.ofJob(folder, "all_pairs_shortest_paths", input, more);
    }

    CommandLineRun rows(String... more) throws IOException {
        Files.writeString(folder.resolve("edges.csv"), EDGES);
        return run(
                "edges.csv",
                Stream.concat(Stream.of("--input-option=inferSchema=true"), Stream.of(more))
                        .toArray(String[]::new));
    }

    /** Returns the number of Parquet files in the output. */
    final long files() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            return files.filter(file -> file.toString().endsWith(".parquet")).count();
        }
    }
}
