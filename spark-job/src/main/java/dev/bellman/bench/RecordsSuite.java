package dev.bellman.bench;

import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.Stopwatch;
import dev.bellman.bench.measure.Table;
import dev.bellman.job.output.OutputRules;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Benchmarks record linkage on generated records of people. The queries are like those in docs/link-records.md, but
 * both joins are on edit distance: the joins find candidates, several functions score them, and connected matches form
 * an entity. Each record contains the true person's number, so the suite can also compute precision and recall.
 */
@Command(name = "records", description = "Record linkage with several fields.", mixinStandardHelpOptions = true)
final class RecordsSuite implements Runnable {
    /** The number of consecutive records that describe the same person. */
    private static final int COPIES = JoinSuite.Kind.NAMES.copies;

    private static final String CANDIDATES = """
            SELECT l.id AS a, r.id AS b
            FROM records l JOIN records r ON edit_distance(l.name, r.name) <= %1$d AND l.id < r.id
            UNION
            SELECT l.id, r.id FROM records l JOIN records r ON edit_distance(l.street, r.street) <= %2$d AND l.id < r.id
            """;

    private static final String SCORED = """
            SELECT a, b,
              round(0.5 * token_sort_ratio(l.name, r.name, true) / 100 + 0.3 * ratio(l.street, r.street) / 100
                + 0.2 * (1 - least(osa_distance(l.born, r.born), 3) / 3), 2) AS score,
              l.person = r.person AS same
            FROM candidates JOIN records l ON l.id = a JOIN records r ON r.id = b
            """;

    private static final String ENTITIES = """
            SELECT r.id, coalesce(c.component, r.id) AS entity
            FROM records r LEFT JOIN
              connected_components(TABLE(SELECT a, b FROM scored WHERE score >= %s)) c ON c.node = r.id
            """;

    private static final String QUALITY =
            "SELECT count(*) AS pairs, count_if(same) AS right FROM scored WHERE score >= %s";

    @Mixin
    private Bench bench;

    @Option(
            names = "--name-distance",
            defaultValue = "2",
            paramLabel = "K",
            description = "maximum edit distance between the names of a candidate pair (default: ${DEFAULT-VALUE})")
    private int nameDistance;

    @Option(
            names = "--street-distance",
            defaultValue = "2",
            paramLabel = "K",
            description = "maximum edit distance between the streets of a candidate pair (default: ${DEFAULT-VALUE})")
    private int streetDistance;

    @Option(
            names = "--thresholds",
            split = ",",
            defaultValue = "0.7,0.8,0.9",
            paramLabel = "S",
            description = "minimum scores of a match; the first one forms the entities (default: ${DEFAULT-VALUE})")
    private List<Double> thresholds;

    /** The time of a step, and the number of rows that the step wrote. */
    record StepMeasurement(String step, long rows, double seconds) {}

    /** The precision and recall of the pairs whose score is at least {@code threshold}. */
    record QualityMeasurement(double threshold, long pairs, double precision, double recall) {}

    @Override
    public void run() {
        JoinSuite.useExtensions();
        SparkSession spark = bench.open();
        long count = bench.count(bench.gpu() ? 1_000_000 : 100_000, 1, 1_000_000) / COPIES * COPIES;
        write(spark, count);
        Table steps = bench.table().text("step", 12).number("rows", 13, 0).number("seconds", 9, 2);
        measure(spark, steps, "candidates", CANDIDATES.formatted(nameDistance, streetDistance));
        measure(spark, steps, "scored", SCORED);
        measure(spark, steps, "entities", ENTITIES.formatted(thresholds.get(0)));
        Table quality = bench.table("matches")
                .number("threshold", 9, 2)
                .number("pairs", 13, 0)
                .number("precision", 10, 4)
                .number("recall", 10, 4);
        long truth = count / COPIES * COPIES * (COPIES - 1) / 2;
        for (double threshold : thresholds) {
            Row row = spark.sql(QUALITY.formatted(threshold)).first();
            QualityMeasurement measured = new QualityMeasurement(
                    threshold,
                    row.getLong(0),
                    (double) row.getLong(1) / row.getLong(0),
                    (double) row.getLong(1) / truth);
            bench.add(measured);
            quality.row(threshold, measured.pairs(), measured.precision(), measured.recall());
        }
        bench.close();
    }

    /** Measures how long a query takes to write its result as Parquet, and registers the result as a view. */
    private void measure(SparkSession spark, Table table, String view, String query) {
        String folder = replaceable(spark, view);
        double seconds = Stopwatch.seconds(
                () -> spark.sql(query).write().mode("overwrite").parquet(folder));
        spark.read().parquet(folder).createOrReplaceTempView(view);
        long rows = spark.table(view).count();
        bench.add(new StepMeasurement(view, rows, seconds));
        table.row(view, rows, seconds);
    }

    private void write(SparkSession spark, long count) {
        long seed = bench.seed();
        String folder = replaceable(spark, "records");
        spark.range(0, count, 1, 4 * spark.sparkContext().defaultParallelism())
                .map((MapFunction<Long, String>) id -> record(seed, id), Encoders.STRING())
                .selectExpr("split(value, '\\t') AS f")
                .selectExpr(
                        "CAST(f[0] AS BIGINT) AS id",
                        "f[1] AS name",
                        "f[2] AS street",
                        "f[3] AS born",
                        "CAST(f[4] AS BIGINT) AS person")
                .write()
                .mode("overwrite")
                .parquet(folder);
        spark.read().parquet(folder).createOrReplaceTempView("records");
    }

    private String replaceable(SparkSession spark, String name) {
        String folder = bench.folder("records-" + name);
        OutputRules.mustBeReplaceable(folder, spark.sparkContext().hadoopConfiguration());
        return folder;
    }

    /**
     * Generates a record; its name and street have random errors. In one of 20 records, the day and month of birth are
     * swapped; in one of 10, the street is different; and in one of 10, the family name comes first.
     */
    private static String record(long seed, long id) {
        long person = id / COPIES;
        SplittableRandom random = new SplittableRandom(31 * seed + id);
        String name = JoinSuite.Kind.NAMES.string(seed, id);
        if (random.nextInt(10) == 0) {
            int space = name.indexOf(' ');
            name = name.substring(space + 1) + ' ' + name.substring(0, Math.max(space, 0));
        }
        // a person who has moved has the street of a different person
        long home = random.nextInt(10) == 0 ? random.nextInt(1 << 20) : id;
        String street = JoinSuite.Kind.NAMES.string(~seed, home) + ' ' + (1 + home / COPIES * 7_919 % 120);
        SplittableRandom birth = new SplittableRandom(seed ^ (person * 0x9E3779B97F4A7C15L));
        int year = 1930 + birth.nextInt(90);
        int month = 1 + birth.nextInt(12);
        int day = 1 + birth.nextInt(28);
        boolean swapped = random.nextInt(20) == 0;
        String born = String.format(Locale.ROOT, "%d-%02d-%02d", year, swapped ? day : month, swapped ? month : day);
        return String.join("\t", Long.toString(id), name.strip(), street, born, Long.toString(person));
    }
}
