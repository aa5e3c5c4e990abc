package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import dev.bellman.Thorough;
import dev.bellman.align.TestPairs;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;

/** Contains the code that {@link SimilarityJoinTest} and {@link SimilarityJoinExecutionTest} share. */
abstract class SimilarityJoinFixture extends SparkTest {
    static final String NODE = "SimilarStrings";

    static final int TABLES = Thorough.rounds(150, 400);

    /**
     * Creates the tables {@code l} and {@code r}. For each value of {@code t}, both have a few rows with similar
     * strings over one of several alphabets, and also with empty strings, NULLs and longer strings.
     */
    @BeforeAll
    static void tables() {
        spark.conf().set("spark.sql.shuffle.partitions", "3");
        Random random = new Random(16);
        spark.createDataFrame(rows(random, TABLES), schema()).createOrReplaceTempView("l");
        spark.createDataFrame(rows(random, TABLES), schema()).createOrReplaceTempView("r");
    }

    static StructType schema() {
        return new StructType()
                .add("t", DataTypes.IntegerType)
                .add("id", DataTypes.IntegerType)
                .add("s", DataTypes.StringType)
                .add("n", DataTypes.IntegerType);
    }

    static List<Row> rows(Random random, int tables) {
        List<Row> rows = new ArrayList<>();
        for (int table = 0; table < tables; table++) {
            // both sides use the same alphabet and the same centres
            Random common = new Random(table);
            String alphabet = List.of("a", "ab", TestPairs.DNA, TestPairs.LETTERS, TestPairs.MIXED)
                    .get(common.nextInt(5));
            List<String> centres = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                centres.add(TestPairs.random(common, alphabet, common.nextInt(12)));
            }
            for (int i = random.nextInt(9); i > 0; i--) {
                String string =
                        switch (random.nextInt(10)) {
                            case 0 -> null;
                            case 1 -> "";
                            case 2 -> TestPairs.random(random, alphabet, random.nextInt(100));
                            case 3 -> centres.get(0);
                            default ->
                                TestPairs.mutate(
                                        random, alphabet, centres.get(random.nextInt(3)), random.nextDouble() * 0.4);
                        };
                rows.add(RowFactory.create(
                        random.nextInt(30) == 0 ? null : table, rows.size(), string, random.nextInt(4)));
            }
        }
        return rows;
    }

    static void assertSameAsCrossProduct(String query) {
        Dataset<Row> joined = spark.sql(query);
        assertThat(joined.queryExecution().optimizedPlan().toString()).as(query).contains(NODE);
        List<String> actual = lines(joined.collectAsList());
        assertThat(actual).as(query).isEqualTo(crossProduct(query));
    }

    static List<String> crossProduct(String query) {
        spark.conf().set(SimilarityJoin.ENABLED, "false");
        try {
            assertThat(spark.sql(query).queryExecution().optimizedPlan().toString())
                    .doesNotContain(NODE);
            return lines(expected(query));
        } finally {
            spark.conf().unset(SimilarityJoin.ENABLED);
        }
    }

    static List<String> lines(List<Row> rows) {
        return rows.stream().map(Row::toString).sorted().toList();
    }

    static String executed(String query) {
        return plan(spark.sql(query));
    }
}
