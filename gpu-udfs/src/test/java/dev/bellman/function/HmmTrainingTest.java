package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import dev.bellman.plan.training.DistributedTraining;
import dev.bellman.plan.training.SequenceType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the table-valued function {@code hidden_markov_training} with {@code hmm_fit}. */
class HmmTrainingTest extends SparkTest {
    private static final String TRAINED =
            "SELECT start, transitions, emissions, log_probabilities FROM hidden_markov_training(TABLE(%s), %s)";

    @BeforeAll
    static void sequences() {
        spark.sql("""
                        SELECT id, transform(sequence(0, id % 7 + pmod(hash(id), 5)),
                          i -> pmod(hash(id * 31 + i), if(id % 3 = 0, 4, 2))) AS symbols
                        FROM range(200)""").createOrReplaceTempView("sequences");
    }

    private static String trained(String table, String arguments) {
        return spark.sql(TRAINED.formatted(table, arguments)).head().toString();
    }

    private static String fitted(String table, String arguments) {
        return spark.sql("SELECT m.* FROM (SELECT hmm_fit(collect_list(symbols), %s) AS m FROM %s)"
                        .formatted(arguments, table))
                .head()
                .toString();
    }

    @Test
    void equalsHmmFit() {
        String expected = fitted("sequences", "3, 4, 7");
        assertThat(trained("sequences", "'symbols', 3, 4, NULL, 7")).isEqualTo(expected);
        for (int partitions : List.of(1, 2, 5)) {
            String table = "SELECT /*+ REPARTITION(%d) */ * FROM sequences".formatted(partitions);
            assertThat(trained(table, "column => 'SYMBOLS', states => 3, iterations => 4, seed => 7"))
                    .as("%d partitions", partitions)
                    .isEqualTo(expected);
        }
        assertThat(trained("SELECT CAST(symbols AS ARRAY<BIGINT>) AS s FROM sequences", "'s', 3, 4, seed => 7"))
                .isEqualTo(expected);
        spark.sql("CACHE TABLE cached AS SELECT symbols FROM sequences UNION ALL SELECT NULL");
        assertThat(trained("cached", "'symbols', 3, 4, seed => 7")).isEqualTo(expected);
        spark.sql("UNCACHE TABLE cached");
    }

    /**
     * Tests numbers of all magnitudes, including both zeros and equal numbers. The seeds lead to different initial
     * means.
     */
    @Test
    void numbersEqualHmmFit() {
        spark.sql("""
                        SELECT id, transform(sequence(0, id % 7 + pmod(hash(id), 5)), i ->
                          CASE pmod(hash(id * 31 + i), 5)
                          WHEN 0 THEN -0D WHEN 1 THEN 0D WHEN 2 THEN hash(i, id) * 1e-8 WHEN 3 THEN -pow(10, id % 90)
                          ELSE i END) AS symbols
                        FROM range(200)""").createOrReplaceTempView("numbers");
        for (int seed : List.of(0, 7)) {
            String expected = fitted("numbers", "3, 4, %d, 0.5".formatted(seed));
            for (int partitions : List.of(1, 5)) {
                String table = "SELECT /*+ REPARTITION(%d) */ symbols FROM numbers UNION ALL SELECT NULL"
                        .formatted(partitions);
                assertThat(trained(table, "'symbols', 3, 4, seed => %d, min_variance => 0.5".formatted(seed)))
                        .isEqualTo(expected);
            }
        }
        assertThat(trained("SELECT array(1.5, 2.5) AS s", "'s', 1, 1"))
                .isEqualTo(fitted("(SELECT array(1.5, 2.5) AS symbols)", "1, 1"));
        assertMessage("SELECT array(1.5, NULL) AS s", "'s', 1", "entry 2 of a sequence (counted from 1) is NULL");
        assertMessage("SELECT array(1e101D) AS s", "'s', 1", "is 1.0E101; it must be a number from -1e100 to 1e100");
        assertMessage("numbers", "'symbols', 1, min_variance => 0", "the argument min_variance must be a number from");
    }

    /** Tests points that are often equal in some or all coordinates, and points whose first coordinates differ. */
    @Test
    void pointsEqualHmmFit() {
        spark.sql("""
                        SELECT id, transform(sequence(0, id % 7 + pmod(hash(id), 5)), i -> array(
                          CASE pmod(hash(id * 31 + i), 4) WHEN 0 THEN -0D WHEN 1 THEN 0D ELSE i END,
                          IF(id % 3 = 0, 1, hash(i, id) * 1e-8), id % 2)) AS symbols
                        FROM range(200)""").createOrReplaceTempView("points");
        spark.sql("SELECT transform(symbols, p -> array(hash(p), p[1])) AS symbols FROM points")
                .createOrReplaceTempView("different");
        spark.sql("SELECT transform(symbols, p -> p[1]) AS symbols FROM points")
                .createOrReplaceTempView("numbersOfPoints");
        for (String points : List.of("points", "different")) {
            String expected = fitted(points, "5, 3, 7, 0.5");
            for (int partitions : List.of(1, 5)) {
                String table = "SELECT /*+ REPARTITION(%d) */ symbols FROM %s UNION ALL SELECT NULL"
                        .formatted(partitions, points);
                assertThat(trained(table, "'symbols', 5, 3, seed => 7, min_variance => 0.5"))
                        .isEqualTo(expected);
            }
        }
        assertThat(trained(
                        "SELECT transform(symbols, x -> array(x)) AS s FROM numbersOfPoints", "'s', 3, 4, seed => 7"))
                .isEqualTo(trained("numbersOfPoints", "'symbols', 3, 4, seed => 7"));
        assertMessage(
                "SELECT array(array(1.5), NULL) AS s", "'s', 1", "entry 2 of a sequence (counted from 1) is NULL");
        assertMessage(
                "SELECT array(array(1, 2), array(3)) AS s",
                "'s', 1",
                "entry 2 of a sequence (counted from 1) is an array of size 1; it must be an array of size 2");
        assertMessage(
                "SELECT array(array(1D, NULL)) AS s", "'s', 1", "entry 2 of point 1 of a sequence (counted from 1)");
        assertMessage("SELECT array(array('a')) AS s", "'s', 1", "ARRAY<DOUBLE> or ARRAY<ARRAY<DOUBLE>>");
    }

    @Test
    void tolerance() {
        Row all = spark.sql(TRAINED.formatted("sequences", "'symbols', 2, 30")).head();
        List<Double> logs = all.getList(3);
        double tolerance = logs.get(11) - logs.get(10);
        Row stopped = spark.sql(TRAINED.formatted("sequences", "'symbols', 2, 30, %sD".formatted(tolerance)))
                .head();
        int expected = 1;
        while (expected < 2 || logs.get(expected - 1) - logs.get(expected - 2) >= tolerance) {
            expected++;
        }
        assertThat(expected).isLessThan(30);
        assertThat(stopped.getList(3)).isEqualTo(logs.subList(0, expected));
    }

    /** The result is a model that viterbi accepts, and a plan may contain the function twice. */
    @Test
    void decodes() {
        assertThat(spark.sql("""
                        WITH model AS (SELECT * FROM hidden_markov_training(TABLE(sequences), 'symbols', 2))
                        SELECT count(viterbi(a.start, b.transitions, a.emissions, symbols))
                        FROM sequences, model a, model b""").head().getLong(0)).isEqualTo(200);
    }

    /**
     * Each partition has the same sequences even if the input is read in a different order, as it may be after a
     * partition is lost.
     */
    @Test
    void partitions() {
        assertThat(partitions("id")).hasSize(2).doesNotContain(List.of()).isEqualTo(partitions("199 - id"));
    }

    /** Returns the sequences of each partition, sorted. */
    private static List<List<String>> partitions(String id) {
        JavaRDD<InternalRow> rows = spark.sql("SELECT transform(sequence(0, id % 7), i -> (id * 31 + i) % 5) FROM "
                        + "(SELECT %s AS id FROM range(0, 200, 1, 1))".formatted(id))
                .queryExecution()
                .toRdd()
                .toJavaRDD();
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        Set<Integer> before = context.getPersistentRDDs().keySet();
        SequenceType<?> symbols =
                SequenceType.of(DataTypes.createArrayType(DataTypes.LongType)).orElseThrow();
        try (DistributedTraining<?> training = DistributedTraining.of(symbols, rows, false)) {
            assertThat(training.sizes().longest()).isEqualTo(7);
            Map<Integer, JavaRDD<?>> kept = new HashMap<>(context.getPersistentRDDs());
            kept.keySet().removeAll(before);
            return kept.values().iterator().next().glom().collect().stream()
                    .map(partition -> partition.stream()
                            .map(each -> Arrays.toString((int[]) each))
                            .sorted()
                            .toList())
                    .toList();
        }
    }

    @Test
    void longSequences() {
        String table = "SELECT array_repeat(0, 3000000) AS s";
        assertMessage(table, "'s', 800", "the table for a sequence has 3,000,000 rows of 800 numbers; the maximum is");
        assertMessage(
                table, "'s', 300", "an iteration with 300 states, 1 symbols and a sequence of length 3,000,000 takes");
    }

    @Test
    void messages() {
        assertMessage("sequences", "'id', 2", "the argument column is of type BIGINT; it must be ARRAY<INT>");
        assertMessage("sequences", "'symbols', 0", "the argument states is 0; it must be at least 1");
        assertMessage(
                "sequences", "'symbols', 1, 1, -1", "the argument tolerance is '-1'; it must be a nonnegative number");
        assertMessage("sequences", "'symbols', 1, seed => 0.5D", "the argument seed is 0.5; it must be a BIGINT");
        assertMessage("SELECT * FROM sequences WHERE id < 0", "'symbols', 1", "the input has no sequences");
        assertMessage(
                "SELECT array(1, NULL) AS s", "'s', 1", "entry 2 of a sequence (counted from 1) is NULL; it must be");
        assertMessage("SELECT array(-1) AS s", "'s', 1", "entry 1 of a sequence (counted from 1) is -1");
        assertMessage("SELECT cast(array() AS ARRAY<INT>) AS s", "'s', 1", "a sequence is empty");
        assertMessage("SELECT array(2147483646) AS s", "'s', 2", "BELLMAN_LIMIT");
    }

    /** Clients raise this exception with a one-line message, as they do for rows that a function rejects. */
    @Test
    void rejectedRows() {
        for (String table : List.of("SELECT array(1, NULL) AS s", "SELECT array(1) AS s WHERE false")) {
            assertThatThrownBy(() -> trained(table, "'s', 1"))
                    .isInstanceOf(SparkRuntimeException.class)
                    .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] hidden_markov_training: ");
        }
    }

    private static void assertMessage(String table, String arguments, String message) {
        assertThatThrownBy(() -> trained(table, arguments)).hasStackTraceContaining(message);
    }
}
