package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.OperatingSystemMXBean;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.input.InputReader;
import dev.bellman.job.rows.InstanceInput;
import dev.bellman.job.rows.InstanceQuery;
import dev.bellman.job.run.Estimate.Pass;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobFile;
import dev.bellman.job.spec.JobFileTest;
import dev.bellman.job.spec.JobKeys;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EstimateTest {
    /** A query takes 0.4 s (the first query, 3 s), and another 10 microseconds for each row. */
    @Test
    void costOfStartIsNotExtrapolated() {
        Estimate estimate = Estimate.of(
                1_000_000, 2, new Pass(200, 3.002), Optional.of(new Pass(200, 0.402)), new Pass(20_000, 0.6));

        assertThat(estimate.expectedSeconds()).isCloseTo(2 + 3 + 10, within(0.1));
        assertThat(estimate)
                .hasToString(
                        "1,000,000 rows to solve, about 15 s, not including the time to write the output (5.0 s to "
                                + "start and read, then 100 k rows/s, as measured on the first 20,000 rows)");
    }

    @Test
    void fewRowsTakeTheirPass() {
        Pass all = new Pass(100, 2.5);

        assertThat(Estimate.of(100, 1, all, Optional.empty(), all))
                .hasToString("100 rows to solve, about 3.5 s, not including the time to write the output");
    }

    /** Rows take 0.1 s each, so the first pass is long enough. */
    @Test
    void costlyRows() {
        Pass warm = new Pass(200, 20);

        assertThat(Estimate.of(10_000, 1, new Pass(200, 22), Optional.of(warm), warm)
                        .expectedSeconds())
                .isCloseTo(1 + 2 + 1000, within(0.1));
    }

    /** By chance, a pass over more rows takes no longer than a pass over fewer. */
    @Test
    void rateIsPositive() {
        Pass last = new Pass(2000, 0.3);

        assertThat(Estimate.of(2000, 0, new Pass(200, 1), Optional.of(new Pass(200, 0.4)), last)
                        .expectedSeconds())
                .isBetween(1.0, 1.5);
    }

    /**
     * The logger of Spark's writer, which processes the sample, is turned off: it would add six lines to the message,
     * which already contains the row.
     */
    @Test
    void rejectedRowIsToldOnce() {
        String writer = "org.apache.spark.sql.execution.datasources.v2.DataWritingSparkTask";

        assertThat(LogManager.getLogger(writer).isErrorEnabled()).isFalse();
    }

    /** Uses a plain strategy, so that a row takes the same time in the sample and in the run. */
    private static InstanceQuery query(SparkSession spark, Path folder, int letters, int rows) {
        String text = "substr(repeat(md5(string(%s)), %d), 1, %d)";
        spark.range(0, rows, 1, 2)
                .selectExpr(
                        "id",
                        text.formatted("id", letters / 32 + 1, letters) + " AS a",
                        text.formatted("id + 7", letters / 32 + 1, letters) + " AS b")
                .write()
                .parquet(folder.resolve("pairs").toString());
        Job job = JobFile.ofFlags(JobFileTest.flags(
                        "--problem=edit_distance",
                        "--input=" + folder.resolve("pairs"),
                        "--output=" + folder.resolve("out")))
                .get(0);
        spark.conf().set("spark.bellman.edit_distance.strategy", "serial");
        return new InstanceQuery(InstanceInput.read(
                job, InputReader.read(spark, job.input(), job.get(JobKeys.ON_BAD_ROW), note -> {}), Optional.empty()));
    }

    private static double cpuSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
    }

    /** Compares CPU times of this process, which other processes on the machine do not affect. */
    private static void isWithinTwice(Path folder, int letters, int rows) {
        SparkSession spark = LocalSpark.session().newSession();
        InstanceQuery query = query(spark, folder, letters, rows);
        // loads all classes before the comparison
        query.instances().rows().limit(3).collectAsList();
        new InstanceQuery(query.instances().over(query.instances().first(3)))
                .results()
                .write()
                .format("noop")
                .mode("overwrite")
                .save();

        double estimated = Estimate.of(query, EstimateTest::cpuSeconds).expectedSeconds();
        double begin = cpuSeconds();
        query.results().write().format("noop").mode("overwrite").save();
        double measured = cpuSeconds() - begin;

        assertThat(estimated).isBetween(measured / 2, measured * 2);
    }

    @Test
    void ofARun(@TempDir Path folder) {
        isWithinTwice(folder, 300, 10_000);
    }

    @ParameterizedTest
    @CsvSource({"20, 400000", "150, 100000", "1500, 1000"})
    @Tag("thorough")
    @Tag("timed")
    void ofRuns(int letters, int rows, @TempDir Path folder) {
        isWithinTwice(folder, letters, rows);
    }
}
