package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.function.Bellman;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code problem: dtw} with {@code top}, which returns the nearest series of each query. */
class NearestSeriesTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    /** Writes series of whole numbers, for which distances tie. */
    private Dataset<Row> write(String name, int count, int seed) {
        Dataset<Row> series = spark.range(count)
                .selectExpr(
                        "'%s' || id AS id".formatted(name),
                        ("transform(sequence(0, 9), i -> " + "double(xxhash64(id, i, %d) %% 4)) AS s").formatted(seed));
        series.write().parquet(folder.resolve(name).toString());
        return series;
    }

    /** Compares the nearest series with those among all pairs: with a maximum distance, and without one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"max=4.0 | dtw(q.s, t.s, 2) <= 4 | cross", "band=2 | true | nearest"})
    void nearest(String parameter, String within, String pairing) {
        Bellman.register(spark);
        write("q", 20, 1).createOrReplaceTempView("q");
        write("t", 40, 2).createOrReplaceTempView("t");

        String[] job = Stream.of(
                        "run",
                        "--problem=dtw",
                        "--input=" + folder.resolve("q"),
                        "--targets=" + folder.resolve("t"),
                        "--argument=s",
                        "--pairing=" + pairing,
                        "--parameter=band=2",
                        "--parameter=" + parameter,
                        "--top=3",
                        "--output=" + folder.resolve("out"))
                .distinct()
                .toArray(String[]::new);
        CommandLineRun dry = CommandLineRun.of(Stream.concat(Stream.of(job), Stream.of("--dry-run", "--verbose"))
                .toArray(String[]::new));
        assertThat(dry.out()).contains("may_be_nearest(3");
        CommandLineRun run = CommandLineRun.of(job).assertDone();
        // all pairs count as solved, although the search dropped most of them
        assertThat(run.out()).contains("800 rows, ");
        List<Row> expected = spark.sql("""
                SELECT id_a, id_b, dtw FROM (
                  SELECT *, row_number() OVER (PARTITION BY id_a ORDER BY dtw, id_b) AS place FROM (
                    SELECT q.id AS id_a, t.id AS id_b, dtw(q.s, t.s, 2) AS dtw FROM q CROSS JOIN t WHERE %s))
                WHERE place <= 3 ORDER BY id_a, dtw, id_b""".formatted(within)).collectAsList();
        assertThat(LocalSpark.output(folder).orderBy("id_a", "dtw", "id_b").collectAsList())
                .hasSizeGreaterThan(20)
                .isEqualTo(expected);
    }
}
