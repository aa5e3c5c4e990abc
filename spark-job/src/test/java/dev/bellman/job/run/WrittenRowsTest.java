package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the reports of two runs. The first run writes Parquet and does not read its output; the second run writes
 * ORC and reads its output.
 */
class WrittenRowsTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    /** The report and the printed table of a run, and the number of its Spark jobs. */
    private record Told(JsonNode report, String table, int jobs) {}

    private Told run(String format, String... more) throws Exception {
        AtomicInteger jobs = new AtomicInteger();
        SparkListener counting = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart start) {
                jobs.incrementAndGet();
            }
        };
        spark.sparkContext().addSparkListener(counting);
        Path output = folder.resolve(format);
        CommandLineRun run = CommandLineRun.of(Stream.concat(
                                Stream.of(
                                        "run",
                                        "--problem=edit_distance",
                                        "--results=edit_distance,edit_cigar",
                                        "--input=" + folder.resolve("in"),
                                        "--keep=amount,day,at,both,list,real,wide",
                                        "--output=" + output,
                                        "--output-format=" + format),
                                Stream.of(more))
                        .toArray(String[]::new))
                .assertDone();
        spark.sparkContext().listenerBus().waitUntilEmpty();
        spark.sparkContext().removeSparkListener(counting);
        JsonNode report = CommandLineRun.report(output);
        return new Told(report, run.out().substring(0, run.out().indexOf("job: ")), jobs.get());
    }

    private void write(int rows, int partitions, int width) {
        spark.range(0, rows, 1, partitions)
                .selectExpr(
                        "id",
                        "repeat('ab', cast(id % 7 as int)) as a",
                        "if(id % 5 = 0, null, 'baba') as b",
                        "repeat('w', " + width + ") as wide",
                        "cast(id / 3 as decimal(12, 3)) as amount",
                        "date'2026-01-31' as day",
                        "timestamp'1500-02-28 01:02:03.5' as at",
                        "struct(id as x, cast(null as int) as y) as both",
                        "array('é', 'z') as list",
                        "cast(id as float) / 7 as real")
                .write()
                .parquet(folder.resolve("in").toString());
    }

    private static List<String> lines(String table) {
        return Arrays.asList(table.split("\n"));
    }

    @Test
    void smallOutputsAreNotReadAgain() throws Exception {
        write(40, 1, 3);
        Told parquet = run("parquet");
        Told orc = run("orc");
        assertThat(parquet.table()).contains("1500-02-28 01:02:03.5", "NULL").isEqualTo(orc.table());
        assertThat(parquet.report().path("results")).isEqualTo(orc.report().path("results"));
        assertThat(parquet.report().path("results").findValuesAsText("name"))
                .containsExactly("edit_distance", "length of edit_cigar");
        assertThat(parquet.report().path("resultsSampled").asBoolean()).isFalse();
        assertThat(parquet.report().path("sizes")).isEqualTo(orc.report().path("sizes"));
        // one job each for the schema of the input and for its first rows, two for the number of its rows, and one for
        // the output, which counts NULLs
        assertThat(parquet.jobs()).isLessThanOrEqualTo(5).isLessThan(orc.jobs());
    }

    /**
     * Tests several files, too many rows in one file, too many rows in total, and rows that are too wide to be
     * collected.
     */
    @ParameterizedTest
    @CsvSource({"90, 3, 3", "5000, 1, 3", "21000, 8, 3", "6, 1, 20000"})
    void outputsOfAnySize(int rows, int partitions, int width) throws Exception {
        write(rows, partitions, width);
        Told parquet = run("parquet", "--output-partitions=" + partitions);
        Told orc = run("orc", "--output-partitions=" + partitions);
        assertThat(parquet.report().path("rowsOut").asInt()).isEqualTo(rows);
        assertThat(parquet.report().path("resultsSampled"))
                .isEqualTo(orc.report().path("resultsSampled"));
        if (rows <= 20_000) {
            assertThat(parquet.report().path("results")).isEqualTo(orc.report().path("results"));
        }
        // a title, five rows, and three borders
        assertThat(lines(parquet.table())).hasSameSizeAs(lines(orc.table())).hasSizeGreaterThanOrEqualTo(9);
    }

    /** The second job's input changes after its check, while the first job runs. */
    @Test
    void whatIsCheckedIsReadAgainIfItChanges() throws IOException {
        Path pairs = Files.writeString(folder.resolve("pairs.csv"), "id,a,b\n1,ab,ba\n");
        Path empty = Files.writeString(folder.resolve("none.csv"), "id,a,b\n");
        Path jobs = Files.writeString(folder.resolve("jobs.yaml"), """
                name: first
                problem: edit_distance
                input: {path: %1$s}
                output: {path: %3$s/one}
                ---
                name: second
                problem: edit_distance
                input: {path: %2$s}
                output: {path: %3$s/two}
                """.formatted(pairs, empty, folder));
        SparkListener changing = new SparkListener() {
            @Override
            public void onJobStart(SparkListenerJobStart start) {
                try {
                    if (start.properties()
                            .getProperty("spark.job.description", "")
                            .equals("first: solve")) {
                        Files.writeString(empty, "id,a,b\n1,ab,ba\n2,ab,b\n");
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        CommandLineRun before = CommandLineRun.of("run", jobs.toString()).assertDone();
        assertThat(before.out()).containsOnlyOnce("has no rows").contains("second: 0 rows in", "first: 1 row in");

        spark.sparkContext().addSparkListener(changing);
        CommandLineRun changed = CommandLineRun.of("run", jobs.toString(), "--output-mode=overwrite");
        spark.sparkContext().removeSparkListener(changing);
        changed.assertDone();
        assertThat(changed.out()).doesNotContain("has no rows").contains("second: 2 rows in");
    }
}
