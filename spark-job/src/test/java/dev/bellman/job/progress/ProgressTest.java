package dev.bellman.job.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.LocalSpark;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.apache.commons.io.FileUtils;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.function.ForeachFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Test;

class ProgressTest {
    /** The progress that the current test prints; the field is static, so that tasks can read it. */
    private static StringWriter shown;

    private static String line(long rows, long tasks, long tasksDone, OptionalLong all, double seconds) {
        return line(rows, tasks, tasksDone, all, seconds, 0);
    }

    private static String line(long rows, long tasks, long tasksDone, OptionalLong all, double seconds, double ago) {
        return Progress.line("job", new RowCounter.State(rows, tasks, tasksDone, seconds, ago), "rows", all);
    }

    @Test
    void whatIsSaid() {
        assertThat(line(0, 0, 0, OptionalLong.empty(), 1)).isEqualTo("job: 0 rows, 0 of 0 tasks (0%)");
        assertThat(line(1200, 8, 2, OptionalLong.of(4800), 2))
                .isEqualTo("job: 1,200 of 4,800 rows (25%), 600 rows/s, 6.0 s left");
        assertThat(line(1200, 8, 2, OptionalLong.empty(), 600))
                .isEqualTo("job: 1,200 rows, 2 of 8 tasks (25%), 2 rows/s, 30 min 0 s left");
        assertThat(line(1200, 8, 2, OptionalLong.of(4800), 2, 4))
                .isEqualTo("job: 1,200 of 4,800 rows (25%), 600 rows/s, 2.0 s left");
        assertThat(line(0, 8, 0, OptionalLong.of(4800), 0)).isEqualTo("job: 0 of 4,800 rows (0%)");
        assertThat(line(4801, 8, 8, OptionalLong.of(4800), 1)).endsWith("(100%), 4.80 k rows/s");
    }

    @Test
    void quantities() {
        assertThat(Quantity.count(1, "row")).isEqualTo("1 row");
        assertThat(Quantity.count(1234, "row")).isEqualTo("1,234 rows");
        assertThat(Quantity.scaled(3)).isEqualTo("3");
        assertThat(Quantity.scaled(0.5)).isEqualTo("0.50");
        assertThat(Quantity.scaled(12_345)).isEqualTo("12.3 k");
        assertThat(Quantity.scaled(999_600)).isEqualTo("1.00 M");
        assertThat(Quantity.bytes(12)).isEqualTo("12 B");
        assertThat(Quantity.bytes(12_300_000)).isEqualTo("12.3 MB");
        assertThat(Quantity.duration(0.25)).isEqualTo("0.25 s");
        assertThat(Quantity.duration(59.6)).isEqualTo("1 min 0 s");
        assertThat(Quantity.duration(7500)).isEqualTo("2 h 5 min");
    }

    /** Waits until a line is displayed. */
    private static boolean awaitLine(String line) throws InterruptedException {
        Pattern wanted = Pattern.compile(line);
        while (!wanted.matcher(shown.toString()).find()) {
            Thread.sleep(10);
        }
        return true;
    }

    /** Rows are counted while the query runs. */
    @Test
    void countsWhatComes() throws Exception {
        SparkSession spark = LocalSpark.session().newSession();
        spark.udf().register("await_line", (UDF1<String, Boolean>) ProgressTest::awaitLine, DataTypes.BooleanType);
        shown = new StringWriter();
        try (Progress progress = new Progress(
                spark.sparkContext(), Progress.Style.LINES, new PrintWriter(shown), Duration.ofMillis(20))) {
            progress.begin("pairs", OptionalLong.of(8));
            spark.range(0, 4, 1, 4)
                    .toDF("task")
                    .crossJoin(spark.range(2))
                    .selectExpr("await_line(if(task < 2, 'pairs: 0 of 8 rows .0%', 'pairs: [246] of 8 rows .* left'))")
                    .write()
                    .format("noop")
                    .mode("overwrite")
                    .save();
            awaitLine("pairs: 8 of 8 rows .100%");
            progress.end();
        }
    }

    /** Rows that wait in an exchange have not reached the functions, even if they were read long ago. */
    @Test
    void countsWhatComesOutOfAnExchange() throws Exception {
        SparkSession spark = LocalSpark.session().newSession();
        spark.udf().register("await_line", (UDF1<String, Boolean>) ProgressTest::awaitLine, DataTypes.BooleanType);
        Path folder = Files.createTempDirectory("bellman-progress");
        spark.range(64).write().mode("overwrite").parquet(folder.toString());
        shown = new StringWriter();
        try (Progress progress = new Progress(
                spark.sparkContext(), Progress.Style.LINES, new PrintWriter(shown), Duration.ofMillis(20))) {
            progress.begin("rows", OptionalLong.of(64));
            spark.read()
                    .parquet(folder.toString())
                    .repartition(4)
                    .selectExpr("await_line(if(spark_partition_id() < 2, 'rows: 0 of', 'rows: (16|32|48) of 64 rows'))")
                    .write()
                    .format("noop")
                    .mode("overwrite")
                    .save();
            awaitLine("rows: 64 of 64 rows .100%");
            progress.end();
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
        }
    }

    /** Rows that the output already has are neither counted when they are read from the input nor from the output. */
    @Test
    void countsWhatAnOutputLacks() throws Exception {
        SparkSession spark = LocalSpark.session().newSession();
        Path folder = Files.createTempDirectory("bellman-progress");
        spark.range(64)
                .write()
                .mode("overwrite")
                .parquet(folder.resolve("input").toString());
        spark.range(60).write().mode("overwrite").parquet(folder.resolve("out").toString());
        shown = new StringWriter();
        try (Progress progress = new Progress(
                spark.sparkContext(), Progress.Style.LINES, new PrintWriter(shown), Duration.ofMillis(20))) {
            for (String hint : new String[] {"broadcast", "merge", "shuffle_hash"}) {
                progress.begin(hint, OptionalLong.empty());
                spark.read()
                        .parquet(folder.resolve("input").toString())
                        .join(LocalSpark.output(folder).hint(hint), new String[] {"id"}, "left_anti")
                        .write()
                        .format("noop")
                        .mode("overwrite")
                        .save();
                awaitLine(hint + ": 4 rows");
            }
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
        }
    }

    /**
     * With each heartbeat, running tasks report what they have added to an accumulator, no matter to which query they
     * belong.
     */
    @Test
    void countsWhatTasksAdd() throws Exception {
        SparkContext context = LocalSpark.session().sparkContext();
        LongAccumulator done = context.longAccumulator("steps");
        StringWriter said = new StringWriter();
        try (Progress progress =
                new Progress(context, Progress.Style.LINES, new PrintWriter(said), Duration.ofMillis(20))) {
            progress.begin("table", done, 8);
            LocalSpark.session()
                    .createDataset(List.of(3, 5), Encoders.INT())
                    .repartition(2)
                    .foreach((ForeachFunction<Integer>) done::add);
            while (!said.toString().contains("table: 8 of 8 steps (100%)")) {
                Thread.sleep(10);
            }
            progress.begin("rows again", OptionalLong.of(2));
            LocalSpark.session()
                    .range(2)
                    .crossJoin(LocalSpark.session().range(1))
                    .write()
                    .format("noop")
                    .mode("overwrite")
                    .save();
            while (!said.toString().contains("rows again: 2 of 2 rows")) {
                Thread.sleep(10);
            }
        }
        assertThat(said.toString()).contains("table: 0 of 8 steps (0%)");
    }

    /** On a terminal, the line is overwritten, and removed at the end. */
    @Test
    void oneLineOnATerminal() throws Exception {
        SparkSession spark = LocalSpark.session();
        StringWriter said = new StringWriter();
        try (Progress progress = new Progress(
                spark.sparkContext(), Progress.Style.TERMINAL, new PrintWriter(said), Duration.ofMillis(10))) {
            progress.begin("job", OptionalLong.empty());
            while (!said.toString().contains("job:")) {
                Thread.sleep(10);
            }
        }
        assertThat(said.toString())
                .doesNotContain("\n")
                .startsWith("\rjob: 0 rows")
                .matches("(?s).*\r +\r");
    }
}
