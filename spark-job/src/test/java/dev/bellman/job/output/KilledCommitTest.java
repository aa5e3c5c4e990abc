package dev.bellman.job.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.output.FaultyFileSystem.Fault;
import dev.bellman.job.run.LakeSession;
import dev.bellman.job.terminal.ExitCode;
import io.delta.storage.LocalLogStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.delta.DeltaLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests runs on Delta and Iceberg tables, in which the process dies at each of its changes to files. */
class KilledCommitTest {
    private static final int ROWS = 6;

    /** An upper bound on the number of changes that a run makes. */
    private static final int CHANGES = 30;

    @TempDir
    Path folder;

    private SparkSession shared;
    private SparkSession spark;

    @BeforeEach
    void start() {
        shared = LocalSpark.session();
        spark = LakeSession.start(folder);
        FaultyRun.configure(spark.sparkContext().hadoopConfiguration());
        SparkEnv.get().conf().set("spark.delta.logStore.faulty.impl", LocalLogStore.class.getName());
    }

    @AfterEach
    void restore() {
        FaultyFileSystem.plan(Fault.NONE, 0);
        SparkEnv.get().conf().remove("spark.delta.logStore.faulty.impl");
        SparkSession.setActiveSession(shared);
        SparkSession.setDefaultSession(shared);
    }

    private static List<String> rows(int run) {
        return IntStream.range(0, ROWS)
                .mapToObj(row -> "[%d-%d,3]".formatted(run, row))
                .toList();
    }

    private CommandLineRun run(String format, String table, int run, String... more) throws IOException {
        StringBuilder lines = new StringBuilder("id,a,b\n");
        for (int row = 0; row < ROWS; row++) {
            lines.append("%d-%d,kitten,sitting\n".formatted(run, row));
        }
        Path input = Files.writeString(folder.resolve("in.csv"), lines);
        return CommandLineRun.of(Stream.concat(
                        Stream.of(
                                "run",
                                "--problem=edit_distance",
                                "--output-partitions=4",
                                "--input=" + input,
                                "--output=" + table,
                                "--output-format=" + format,
                                "--output-reports=" + folder.resolve("reports")),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private List<String> found(String format, String table) {
        // without a cache, the table is in the state that a different process would see
        DeltaLog.clearCache();
        return LocalSpark.lines(spark.read().format(format).load(table));
    }

    /**
     * After a run dies, the table contains either all or none of its rows. The rows of earlier runs occur exactly once,
     * and a repeated run adds the missing rows.
     */
    @Test
    void allOrNothing() throws IOException {
        allOrNothing("delta", "append", IntStream.of(10));
    }

    @ParameterizedTest
    @CsvSource({"delta, append", "iceberg, append", "delta, overwrite", "iceberg, overwrite"})
    @Tag("thorough")
    void allOrNothingEver(String format, String mode) throws IOException {
        allOrNothing(format, mode, Thorough.seeds(CHANGES).map(seed -> seed % CHANGES));
    }

    /** @param changes the number of changes after which the process dies */
    private void allOrNothing(String format, String mode, IntStream changes) throws IOException {
        String table = "faulty:" + folder.resolve("table");
        if (format.equals("iceberg")) {
            Schema columns = SparkSchemaUtil.convert(
                    spark.sql("SELECT '' AS id, 1 AS edit_distance").schema());
            new HadoopTables(spark.sparkContext().hadoopConfiguration())
                    .create(columns, PartitionSpec.unpartitioned(), table);
        }
        run(format, table, 0, "--output-mode=append").assertDone();

        for (int made : changes.toArray()) {
            List<String> before = found(format, table);
            List<String> with = mode.equals("append")
                    ? Stream.concat(before.stream(), rows(made + 1).stream())
                            .sorted()
                            .toList()
                    : rows(made + 1);
            FaultyFileSystem.plan(Fault.KILL, made);
            CommandLineRun killed = run(format, table, made + 1, "--output-mode=" + mode);
            FaultyFileSystem.plan(Fault.NONE, 0);

            String what = "%s, %s, dead after %d changes: %s".formatted(format, mode, made, killed.err());
            List<String> after = found(format, table);
            if (killed.code() == ExitCode.DONE) {
                assertThat(after).as(what).isEqualTo(with);
                continue;
            }
            assertThat(FaultyFileSystem.happened()).as(what).isTrue();
            assertThat(after).as(what).isIn(before, with);
            CommandLineRun again = mode.equals("append")
                    ? run(format, table, made + 1, "--output-mode=append", "--output-skip-existing")
                    : run(format, table, made + 1, "--output-mode=" + mode);
            assertThat(again.code()).as(what + again.err()).isEqualTo(ExitCode.DONE);
            assertThat(found(format, table)).as(what).isEqualTo(with);
        }
    }
}
