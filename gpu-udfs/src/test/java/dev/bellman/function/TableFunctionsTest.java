package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import dev.bellman.align.TestPairs;
import dev.bellman.align.linkage.Linkage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares most table-valued functions with queries that use only ordinary joins and functions. */
class TableFunctionsTest extends SparkTest {
    private static final int ROWS = 300;

    @BeforeAll
    static void tables() {
        spark.conf().set("spark.sql.shuffle.partitions", "2");
        Random random = new Random(31);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(RowFactory.create(
                    i,
                    random.nextInt(20) == 0 ? null : TestPairs.random(random, "abcd", 3 + random.nextInt(5)),
                    random.nextInt(15) == 0 ? null : random.nextInt(3)));
        }
        StructType schema = new StructType()
                .add("id", DataTypes.IntegerType)
                .add("a name", DataTypes.StringType)
                .add("g", DataTypes.IntegerType);
        spark.createDataFrame(rows, schema).createOrReplaceTempView("names");
        // a table whose order and choice of rows may differ from one evaluation to the next
        spark.sql("SELECT * FROM (SELECT * FROM names DISTRIBUTE BY rand()) LIMIT " + ROWS / 2)
                .createOrReplaceTempView("some");
    }

    private static List<String> lines(String query) {
        return lines(spark.sql(query));
    }

    private static List<String> lines(Dataset<Row> query) {
        return lines(query.collectAsList());
    }

    private static List<String> lines(List<Row> rows) {
        return rows.stream().map(Row::toString).sorted().toList();
    }

    @Test
    void similarPairs() {
        String pairs = "SELECT least(id_a, id_b), greatest(id_a, id_b), distance, g_a <=> g_b FROM similar_pairs(%s)";
        String expected = """
                SELECT a.id, b.id, levenshtein(a.`a name`, b.`a name`, 20) AS distance, a.g <=> b.g
                FROM names a JOIN names b ON levenshtein(a.`a name`, b.`a name`) + 0 <= %s AND a.id < b.id
                """;

        assertThat(lines(pairs.formatted("TABLE(names), 'a name', 1")))
                .isEqualTo(lines(expected(expected.formatted("1"))));
        assertThat(lines(
                        pairs.formatted("TABLE(SELECT * FROM names WHERE g > 0), 'A NAME', block_on => 'g', max => 2")))
                .isEqualTo(lines(expected(expected.formatted("2 AND a.g > 0 AND a.g = b.g"))));
        assertThat(spark.sql(pairs.formatted("TABLE(names), 'a name', 1"))
                        .queryExecution()
                        .executedPlan()
                        .toString())
                .contains("SimilarStrings");
        Dataset<Row> found = spark.sql("SELECT * FROM similar_pairs(TABLE(names), 'a name', 2)");
        assertThat(found.columns()).containsExactly("id_a", "a name_a", "g_a", "id_b", "a name_b", "g_b", "distance");
        assertThat(found.alias("l").join(found.alias("r"), "id_a").count()).isPositive();
    }

    @Test
    void columnsNamedAsTheNumbersOfRows() {
        String table = "TABLE(SELECT * FROM VALUES ('ab', 7, 8), ('ac', 9, 10) AS t(s, __ROW, __row_))";
        Dataset<Row> pairs = spark.sql("SELECT * FROM similar_pairs(%s, 's', 1)".formatted(table));
        Dataset<Row> nearest = spark.sql("SELECT * FROM nearest(%1$s, %1$s, 's', 1)".formatted(table));
        assertThat(lines(pairs.select("__ROW_a", "__row__b", "distance")))
                .containsAnyOf("[7,10,1]", "[9,8,1]")
                .hasSize(1);
        assertThat(lines(nearest.select("__ROW_a", "__row__b", "distance"))).containsExactly("[7,8,0]", "[9,10,0]");
    }

    @Test
    void rowsThatOnlyOneEvaluationGives() {
        long rows = spark.sql("SELECT * FROM similar_pairs(TABLE(some), 'a name', 8)")
                .count();
        long present = spark.sql("SELECT * FROM similar_clusters(TABLE(some), 'a name', 8)")
                .where("cluster IS NOT NULL")
                .count();

        assertThat(present).isBetween(1L, ROWS / 2L);
        assertThat(rows).isPositive();
        assertThat(spark.sql("SELECT id_a, id_b FROM similar_pairs(TABLE(some), 'a name', 8)")
                        .where("id_a = id_b")
                        .isEmpty())
                .isTrue();
    }

    @Test
    void similarClusters() {
        List<Row> rows = spark.sql("SELECT * FROM similar_clusters(TABLE(names), 'a name', 1, array('g'))")
                .orderBy("id")
                .collectAsList();
        List<Row> pairs = expected("""
                SELECT a.id, b.id FROM names a JOIN names b
                ON levenshtein(a.`a name`, b.`a name`) + 0 <= 1 AND a.g = b.g AND a.id < b.id""");
        int[] smallest = new int[ROWS];
        java.util.Arrays.setAll(smallest, i -> i);
        for (boolean changed = true; changed; ) {
            changed = false;
            for (Row pair : pairs) {
                int least = Math.min(smallest[pair.getInt(0)], smallest[pair.getInt(1)]);
                changed |= smallest[pair.getInt(0)] != least || smallest[pair.getInt(1)] != least;
                smallest[pair.getInt(0)] = least;
                smallest[pair.getInt(1)] = least;
            }
        }

        assertThat(rows).hasSize(ROWS);
        java.util.Map<Object, Integer> ofCluster = new java.util.HashMap<>();
        for (int i = 0; i < ROWS; i++) {
            Row row = rows.get(i);
            assertThat(row.getInt(0)).isEqualTo(i);
            int number = smallest[i];
            if (row.isNullAt(1) || row.isNullAt(2)) {
                assertThat(row.isNullAt(3)).isTrue();
                assertThat(row.getLong(4)).isEqualTo(1);
                assertThat(row.isNullAt(5)).isTrue();
                continue;
            }
            assertThat(ofCluster.computeIfAbsent(row.get(3), each -> number)).isEqualTo(number);
            List<Row> members = rows.stream()
                    .filter(each -> smallest[each.getInt(0)] == number)
                    .toList();
            assertThat(row.getLong(4)).isEqualTo(members.size());
            java.util.function.ToLongFunction<String> count = text -> members.stream()
                    .filter(each -> text.equals(each.getString(1)))
                    .count();
            assertThat(members.stream()
                            .mapToLong(each -> count.applyAsLong(each.getString(1)))
                            .max()
                            .orElseThrow())
                    .isEqualTo(count.applyAsLong(row.getString(5)));
        }
        assertThat(ofCluster.values()).doesNotHaveDuplicates().hasSizeGreaterThan(10);
    }

    @Test
    void clustersOfColumnsWithNamesFromTheQuery() {
        for (String linkage : List.of("NULL", "'average'")) {
            String clusters = "SELECT cluster_size, representative FROM similar_clusters("
                    + "TABLE(SELECT `a name` AS %s, g AS %s FROM names), '%1$s', 1, '%2$s', " + linkage + ")";
            List<String> expected = lines(clusters.formatted("name", "g"));
            assertThat(expected).hasSize(ROWS);
            List<String> names =
                    List.of("node", "rows", "neighbours", "members", "__node", "__rows", "__neighbours", "__key0");
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                String other = names.get((i + 1) % names.size());
                assertThat(lines(clusters.formatted(name, other))).as(name).isEqualTo(expected);
            }
        }
    }

    @Test
    void nearest() {
        List<String> found = lines("""
                SELECT id_a, id_b, distance
                FROM nearest(
                  TABLE(names), TABLE(SELECT id AS other, id, `a name` FROM names WHERE id < 50), 'a name', 3, top => 2)
                """);
        List<String> expected = lines(expected("""
                SELECT id_a, id_b, distance FROM (
                  SELECT *, row_number() OVER (PARTITION BY id_a ORDER BY distance, id_b) AS place FROM (
                    SELECT a.id AS id_a, b.id AS id_b, levenshtein(a.`a name`, b.`a name`) AS distance
                    FROM names a CROSS JOIN names b WHERE b.id < 50)
                  WHERE distance <= 3)
                WHERE place <= 2"""));

        assertThat(found).isEqualTo(expected).hasSizeGreaterThan(ROWS);
        assertThat(lines("""
                SELECT id_a, id_b, distance
                FROM nearest(
                  TABLE(SELECT *, map(id, g) AS m FROM names),
                  TABLE(SELECT map(id, id) AS m, parse_json('{}') AS v, id, `a name` FROM names WHERE id < 50),
                  'a name', 3, top => 2)
                """)).isEqualTo(expected);
    }

    @Test
    void connectedComponents() {
        assertThat(lines("SELECT * FROM connected_components(TABLE(SELECT id + 3 AS x, id AS y FROM "
                        + "range(100) WHERE id <> 50))"))
                .hasSize(103)
                .contains("[0,0,1]", "[3,0,2]", "[50,2,1]", "[53,53,1]", "[102,0,1]");
        assertThat(lines("SELECT * FROM connected_components(TABLE(SELECT CAST(id + 1 AS DECIMAL(18)), "
                        + "CAST(id AS TINYINT) FROM range(2)))"))
                .containsExactly("[0,0,1]", "[1,0,2]", "[2,0,1]");
        for (String value : List.of("1.5", "1.5D", "'07'", "true", "DATE'2026-01-01'", "current_timestamp", "1e18BD")) {
            assertThatThrownBy(() -> spark.sql(
                            "SELECT * FROM connected_components(TABLE(SELECT 1 AS one, %s AS other))".formatted(value)))
                    .isInstanceOf(AnalysisException.class)
                    .hasMessageContaining("has the column other of type ");
        }
    }

    /** Compares the clusters with those that {@code text_clusters} finds among all distinct strings of each group. */
    @ParameterizedTest
    @EnumSource(names = "AVERAGE")
    void linkage(Linkage linkage) {
        Dataset<Row> found =
                spark.sql("SELECT * FROM similar_clusters(TABLE(names), 'a name', 2, block_on => 'g', linkage => '%s')"
                        .formatted(linkage.sqlName()));
        String expected = """
                SELECT g, `a name`, texts[member.medoid] AS representative, member.diameter, texts[member.cluster] AS first
                FROM (SELECT g, texts, posexplode(text_clusters(texts, 2, '%s')) AS (place, member)
                  FROM (SELECT g, array_sort(collect_set(`a name`)) AS texts FROM names
                    WHERE g IS NOT NULL AND `a name` IS NOT NULL GROUP BY g))
                LATERAL VIEW explode(array(texts[place])) AS `a name`""".formatted(linkage.sqlName());

        assertThat(found.columns())
                .containsExactly("id", "a name", "g", "cluster", "cluster_size", "representative", "diameter");
        found.createOrReplaceTempView("found");
        spark.sql(expected).createOrReplaceTempView("expected");
        assertThat(spark.sql("SELECT 1 FROM found WHERE cluster IS NOT NULL").count())
                .isEqualTo(spark.sql("""
                        SELECT 1 FROM found f JOIN expected e ON f.g = e.g AND f.`a name` = e.`a name`
                          AND f.representative = e.representative AND f.diameter = e.diameter""").count())
                .isPositive();
        // each expected cluster, which its group and first string identify, has one number and contains all of its rows
        assertThat(spark.sql("""
                        SELECT 1 FROM (SELECT g, first, count(DISTINCT cluster) AS clusters, count(*) AS rows,
                            max(cluster_size) AS size
                          FROM found JOIN expected USING (g, `a name`) GROUP BY g, first)
                        WHERE clusters > 1 OR rows <> size""").isEmpty()).isTrue();
    }

    @Test
    void wrongCalls() {
        spark.readStream()
                .format("rate")
                .load()
                .selectExpr("*", "'a' AS `a name`")
                .createOrReplaceTempView("stream");
        for (String wrong : List.of(
                "similar_pairs('names', 'a name', 1) must be a table",
                "similar_pairs(TABLE(stream), 'a name', 1) is a stream; call the function for each batch",
                "nearest(TABLE(names), TABLE(stream), 'a name', 1) is a stream; call the function for each batch",
                "similar_pairs(TABLE(names), 'nam', 1) is 'nam', but the table has only the columns id, a name, g",
                "similar_pairs(TABLE(names), 'a name', -1) is -1; it must be at least 0",
                "similar_pairs(TABLE(names), 'a name', 'x') is x; it must be an INT",
                "similar_pairs(TABLE(names), 'a name', 1.5) is 1.5; it must be an INT",
                "similar_pairs(TABLE(names), 'a name', 1.5D) is 1.5; it must be an INT",
                "similar_pairs(TABLE(names), 'a name', NULL) is null; it must be an INT",
                "similar_pairs(TABLE(names), 'a name', rand()) must be a constant",
                "similar_pairs(TABLE(names), 'a name', 1, block_on => 7) must be the name of a column, or an array of names",
                "similar_pairs(TABLE(names), 'a name') the argument max is missing; expected similar_pairs(input, ",
                "similar_pairs(TABLE(names), 'a name', 1, size => 2) has no argument size; expected",
                "similar_pairs(TABLE(names), 'a name', 1, max => 2) the argument max is given twice",
                "similar_clusters(TABLE(names), 'a name', 1, linkage => 'ward') is 'ward'; it must be single, complete",
                "similar_pairs(TABLE(names), 'a name', 1, 'g', 2) cannot be called with 5 arguments",
                "similar_clusters(TABLE(SELECT *, 1 AS cluster FROM names), 'a name', 1) rename it",
                "connected_components(TABLE(names)) must have two columns")) {
            int end = wrong.lastIndexOf(") ") + 1;
            assertThatThrownBy(() -> spark.sql("SELECT * FROM " + wrong.substring(0, end)))
                    .isInstanceOf(AnalysisException.class)
                    .hasMessageContaining("BELLMAN_FUNCTION_ARGUMENTS")
                    .hasMessageContaining(wrong.substring(end + 1));
        }
    }
}
