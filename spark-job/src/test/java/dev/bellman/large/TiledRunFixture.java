package dev.bellman.large;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.io.TempDir;

/** Contains the code that {@link TiledRunTest} and {@link BadTilesTest} share. */
abstract class TiledRunFixture {
    static final String CHAIN = "matrix_chain_multiplication";

    static final String TREE = "optimal_parenthesization";
    static final String PAIR = "general_gap_alignment";

    final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    CommandLineRun run(String problem, String... more) {
        return CommandLineRun.ofJob(folder, problem, "in.json", more);
    }

    /** Returns the only row of the output. */
    Row written() {
        return LocalSpark.output(folder).head();
    }

    void write(String... rows) throws IOException {
        Files.writeString(folder.resolve("in.json"), String.join("\n", rows) + "\n");
    }
}
