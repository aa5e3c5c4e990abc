package dev.bellman.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares {@code pairing: within} and {@code nearest} with cross products, for metrics other than the edit distance.
 */
class MetricPairsTest {
    private static final int ROWS = 90;

    @TempDir
    Path folder;

    private final SparkSession spark = LocalSpark.session();

    /**
     * Writes strings, some of which are equal, NULL or empty, or have several bytes per character, and groups, some of
     * which are NULL.
     */
    @BeforeEach
    void write() {
        Random random = new Random(11);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            StringBuilder text = new StringBuilder();
            random.ints(random.nextInt(8), 0, 4).forEach(symbol -> text.append("abé日".charAt(symbol)));
            rows.add(RowFactory.create(
                    i,
                    random.nextInt(12) == 0 ? null : text.toString(),
                    random.nextInt(9) == 0 ? null : random.nextBoolean() ? "de" : "fr"));
        }
        Dataset<Row> input = spark.createDataFrame(rows, StructType.fromDDL("id INT, text STRING, country STRING"));
        input.write().parquet(folder.resolve("rows").toString());
        input.createOrReplaceTempView("rows");
    }

    private CommandLineRun run(String metric, String... more) {
        return CommandLineRun.ofJob(folder, metric, "rows", List.of("--argument=text"), more);
    }

    private static String condition(String metric, String limit) {
        // + 0 prevents Bellman from planning a join
        String value = "%s(a.text, b.text) + 0".formatted(metric.replace("hamming", "try_hamming"));
        return value + (limit.startsWith("--max") ? " <= " : " >= ") + limit.substring(limit.indexOf('=') + 1);
    }

    static List<Arguments> metrics() {
        return Thorough.cases(
                4,
                arguments("jaro_winkler_similarity", "--min-similarity=0.8", true),
                arguments("osa_distance", "--max-distance=2", false),
                arguments("hamming_distance", "--max-distance=1", true),
                arguments("ratio", "--min-similarity=75", false),
                arguments("damerau_levenshtein", "--max-distance=2", true),
                arguments("jaro_similarity", "--min-similarity=0.75", false),
                arguments("hamming_distance", "--max-distance=2", false),
                arguments("edit_distance", "--max-distance=1", true));
    }

    @ParameterizedTest
    @MethodSource("metrics")
    void within(String metric, String limit, boolean byCountry) {
        List<String> options = new ArrayList<>(List.of("--pairing=within", limit));
        if (byCountry) {
            options.add("--block-on=country");
        }
        CommandLineRun run = run(metric, options.toArray(String[]::new)).assertDone();
        assertThat(run.out()).containsPattern("distinct strings, about \\d+ pairs");
        Dataset<Row> expected = spark.sql("""
                SELECT a.id AS id_a, b.id AS id_b, %s(a.text, b.text) FROM rows a JOIN rows b ON a.id < b.id AND %s%s""".formatted(
                        metric.replace("hamming", "try_hamming"),
                        condition(metric, limit),
                        byCountry ? " AND a.country = b.country" : ""));
        assertThat(LocalSpark.written(folder))
                .isEqualTo(LocalSpark.lines(expected))
                .isNotEmpty();
        String column = metric.contains("sim") || metric.equals("ratio") ? metric : "distance";
        assertThat(LocalSpark.output(folder).columns()).containsExactly("id_a", "id_b", column);
    }

    static List<Arguments> closest() {
        return Thorough.cases(
                2,
                arguments("jaro_winkler_similarity", "--min-similarity=0.6"),
                arguments("osa_distance", ""),
                arguments("ratio", "--min-similarity=50"),
                arguments("hamming_distance", "--max-distance=2"),
                arguments("damerau_levenshtein", "--max-distance=3"));
    }

    @ParameterizedTest
    @MethodSource("closest")
    void nearest(String metric, String limit) {
        List<String> options = new ArrayList<>(List.of(
                "--pairing=nearest", "--top=2", "--targets=" + folder.resolve("rows"), "--output-where=id_a <> id_b"));
        if (!limit.isEmpty()) {
            options.add(limit);
        }
        run(metric, options.toArray(String[]::new)).assertDone();
        Dataset<Row> expected = spark.sql("""
                SELECT id_a, id_b, value FROM (
                  SELECT *, row_number() OVER (PARTITION BY id_a ORDER BY value %s, id_b) AS place FROM (
                    SELECT a.id AS id_a, b.id AS id_b, %s(a.text, b.text) AS value
                    FROM rows a JOIN rows b ON a.id <> b.id AND a.text IS NOT NULL AND b.text IS NOT NULL AND %s))
                WHERE place <= 2""".formatted(
                        limit.startsWith("--min-similarity") ? "DESC" : "ASC",
                        metric.replace("hamming", "try_hamming"),
                        limit.isEmpty() ? "true" : condition(metric, limit)));
        assertThat(LocalSpark.written(folder))
                .isEqualTo(LocalSpark.lines(expected))
                .isNotEmpty();
    }

    /** A cluster is identified by its smallest id, and a chain of similar strings connects its rows. */
    @ParameterizedTest
    @CsvSource("jaro_winkler_similarity, 0.85")
    void clusters(String metric, double min) {
        run(metric, "--pairing=within", "--min-similarity=" + min, "--results=cluster")
                .assertDone();
        int[] smallest = IntStream.range(0, ROWS).toArray();
        List<Row> pairs = spark.sql("SELECT a.id, b.id FROM rows a JOIN rows b ON a.id < b.id AND "
                        + condition(metric, "--min-similarity=" + min))
                .collectAsList();
        for (int round = 0; round < ROWS; round++) {
            for (Row pair : pairs) {
                int least = Math.min(smallest[pair.getInt(0)], smallest[pair.getInt(1)]);
                smallest[pair.getInt(0)] = least;
                smallest[pair.getInt(1)] = least;
            }
        }
        assertThat(LocalSpark.written(folder))
                .isEqualTo(IntStream.range(0, ROWS)
                        .mapToObj(i -> "[%d,%d]".formatted(i, smallest[i]))
                        .sorted()
                        .toList());
        assertThat(new TreeSet<>(IntStream.of(smallest).boxed().toList())).hasSizeBetween(5, ROWS - 5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jaro_winkler_similarity | --pairing=within | pairing: within requires minSimilarity, the minimum",
                "jaro_winkler_similarity | --pairing=within --max-distance=1 | for jaro_winkler_similarity, set the "
                        + "limit with minSimilarity",
                "osa_distance | --pairing=within --min-similarity=0.5 | for osa_distance, set the limit with maxDistance",
                "jaro_similarity | --pairing=within --min-similarity=80 | minSimilarity is 80.0; for jaro_similarity "
                        + "it must be above 0 and at",
                "ratio | --pairing=within --min-similarity=0 | for ratio it must be above 0 and at most 100",
                "lcs | --pairing=within --max-distance=1 | supports the measures edit_distance, osa_distance, ",
                "hamming_distance | --pairing=nearest --targets=x.tsv | pairing: nearest requires maxDistance",
                "ratio | --min-similarity=80 | minSimilarity does not apply to pairing: columns, only to pairing: "
                        + "within, or pairing: nearest for strings",
                "token_sort_ratio | --pairing=within --min-similarity=80 --results=cluster | cannot choose pairs by "
                        + "token_sort_ratio",
                "ratio | --metric=ratio | metric does not apply to pairing: columns, only to pairing: within, or "
                        + "pairing: nearest for strings",
                "ratio | --pairing=within --min-similarity=80 --metric=token_sort_ratio | metric is "
                        + "'token_sort_ratio'; it must be ratio",
                "ratio | --pairing=within --min-similarity=80 --results=token_sort_ratio | use pairing: all-vs-all "
                        + "and output.where: 'token_sort_ratio >= ...', or",
                "ratio | --pairing=within --min-similarity=80 --results=ratio,token_sort_ratio | results has several "
                        + "measures (ratio, token_sort_ratio); set metric",
                "ratio | --pairing=within --min-similarity=80 --parameter=normalize=true | by ratio(a, b), without "
                        + "normalize; convert",
                "ratio | --pairing=within --min-similarity=80 --results=cluster --linkage=complete | linkage is "
                        + "supported only for edit_distance",
            })
    void wrong(String metric, String options, String message) {
        CommandLineRun run = run(metric, options.split(" "));
        assertThat(run.code()).isNotEqualTo(ExitCode.DONE);
        assertThat(run.err()).contains(message);
    }
}
