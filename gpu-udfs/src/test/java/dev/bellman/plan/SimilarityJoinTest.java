package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.Thorough;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins on distances and similarities return the same rows as a cross product, and are planned without one. */
class SimilarityJoinTest extends SimilarityJoinFixture {
    /** Joins a table that has a single partition. */
    @Test
    void rowsInOnePartition() {
        spark.range(0, 40, 1, 1).selectExpr("id", "concat('s', id) AS s").createOrReplaceTempView("one");
        assertSameAsCrossProduct(
                "SELECT l.id, r.id FROM one l JOIN one r ON edit_distance(l.s, r.s) <= 1 AND l.id < r.id");
    }

    static List<Integer> distances() {
        return List.of(0, 2, 5, 1, 3, 4, 6).subList(0, Thorough.rounds(3, 7));
    }

    @ParameterizedTest
    @MethodSource("distances")
    void everyDistance(int k) {
        assertSameAsCrossProduct("SELECT l.id, r.id FROM l JOIN r ON l.t = r.t AND edit_distance(l.s, r.s) <= " + k);
        assertSameAsCrossProduct(
                "SELECT l.id, r.id FROM l JOIN r ON l.id % 50 = r.id % 40 AND levenshtein(r.s, l.s) < " + (k + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"INNER", "CROSS", "LEFT", "RIGHT", "LEFT SEMI", "LEFT ANTI"})
    void everyKindOfJoin(String kind) {
        String columns = kind.contains("SEMI") || kind.contains("ANTI") ? "l.*" : "l.*, r.*";
        List<String> conditions = List.of(
                "edit_distance(l.s, r.s) <= 2 AND l.t <=> r.t AND l.n < r.n",
                "edit_distance(l.s, r.s) <= 1",
                "edit_distance(l.s, r.s) <= 1 AND l.t = r.t",
                "edit_distance(l.s, r.s) <= 1 AND l.n > 1 AND r.n + l.n = 3");
        for (String condition : conditions.subList(0, Thorough.rounds(2, 4))) {
            assertSameAsCrossProduct(
                    "SELECT %s FROM (SELECT * FROM l WHERE id < 500) l %s JOIN (SELECT * FROM r WHERE id < 700) r ON %s"
                            .formatted(columns, kind, condition));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(l.s, r.s) <= 2",
                "2 >= edit_distance(r.s, l.s)",
                "edit_distance(l.s, r.s) < 3",
                "3 > edit_distance(l.s, r.s)",
                "edit_distance(l.s, r.s) <= 1 + 1",
                "edit_distance(l.s, r.s) <= 2L",
                "edit_distance(l.s, r.s) = 2",
                "edit_distance(l.s, r.s) <=> 2",
                "edit_distance(l.s, r.s) BETWEEN 1 AND 2",
                "edit_distance(l.s, r.s, 2) >= 0",
                "edit_distance(l.s, r.s, 2) > -1",
                "edit_distance(l.s, r.s, max => 2) >= 1",
                "edit_distance(l.s, r.s, 3) = 2",
                "2 <=> edit_distance(l.s, r.s, 3)",
                "edit_distance(l.s, r.s, 2) <> -1",
                "NOT (edit_distance(l.s, r.s) > 2)",
                "levenshtein(l.s, r.s) <= 2",
                "levenshtein(l.s, r.s, 2) <> -1",
                "levenshtein(l.s, r.s, 2) >= 0",
                "edit_distance(l.s, r.s) <= -1",
                "edit_distance(reverse(l.s), concat(r.s, 'A')) <= 2",
                "edit_distance(l.s, r.s) <= 2 AND edit_distance(l.s, r.s) <= 1"
            })
    void everyForm(String condition) {
        assertSameAsCrossProduct("SELECT l.id, r.id FROM l JOIN r ON l.t = r.t AND " + condition);
    }

    /** Tests the other distances that count edits, in several forms. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "osa_distance(l.s, r.s) <= 1",
                "3 > osa_distance(l.s, r.s)",
                "osa_distance(l.s, r.s, 2) >= 0",
                "osa_distance(l.s, r.s) = 1 AND edit_distance(l.s, r.s) <= 2",
                "damerau_levenshtein(l.s, r.s) <= 1",
                "damerau_levenshtein(r.s, l.s) < 3",
                "damerau_levenshtein(l.s, r.s) BETWEEN 1 AND 2",
                "damerau_levenshtein(l.s, r.s, 2) <> -1",
                "try_hamming_distance(l.s, r.s) <= 2",
                "2 >= try_hamming_distance(r.s, l.s)",
                "try_hamming_distance(l.s, r.s) = 1",
                "try_hamming_distance(l.s, r.s) <=> 1",
                "length(l.s) = length(r.s) AND hamming_distance(l.s, r.s) <= 3",
                "try_hamming_distance(l.s, r.s) <= 1 AND l.n < r.n"
            })
    void everyMetric(String condition) {
        assertSameAsCrossProduct("SELECT l.id, r.id FROM l JOIN r ON l.t = r.t AND " + condition);
        assertSameAsCrossProduct("SELECT l.id, l.s, r.n FROM l LEFT JOIN r ON l.t <=> r.t AND " + condition);
    }

    /** Tests limits that depend on the lengths of the strings, with many kinds of arithmetic. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(l.s, r.s) <= 0.2 * greatest(length(l.s), length(r.s))",
                "edit_distance(r.s, l.s) < greatest(length(l.s), length(r.s)) * 0.3D",
                "floor(0.34 * least(length(r.s), length(l.s))) >= edit_distance(l.s, r.s)",
                "edit_distance(l.s, r.s) <= cast(length(l.s) / 3 - 0.5 AS INT)",
                "edit_distance(l.s, r.s) <= 1 + length(r.s) div 4",
                "edit_distance(l.s, r.s) <= 1 + (length(l.s) - 7) div 4",
                "edit_distance(l.s, r.s) <= 1 + CAST(0.25 * length(l.s) - 1.9 AS INT)",
                "edit_distance(l.s, r.s) <= CAST(0.26 * length(l.s) AS DECIMAL(9, 0))",
                "edit_distance(l.s, r.s) / greatest(length(r.s), length(l.s)) <= 0.25",
                "1 - edit_distance(l.s, r.s) / greatest(length(l.s), length(r.s)) >= 0.7",
                "0.8 < 1 - edit_distance(l.s, r.s) / greatest(length(l.s), length(r.s))",
                "edit_distance(l.s, r.s) <= 0.1 * (length(l.s) + length(r.s))",
                "edit_distance(l.s, r.s) <= round(0.2 * length(r.s)) - 1",
                "levenshtein(l.s, r.s) < ceil(length(l.s) * 0.15)",
                "edit_distance(l.s, r.s) <= 1.5",
                "osa_distance(l.s, r.s) <= 0.25 * greatest(length(l.s), length(r.s))",
                "damerau_levenshtein(l.s, r.s) <= 0.2 * length(l.s)",
                "try_hamming_distance(l.s, r.s) <= 0.3 * length(l.s)",
                "CAST(edit_distance(l.s, r.s) AS DECIMAL) / greatest(length(l.s), length(r.s)) <= 0.3",
                "1.0 * edit_distance(l.s, r.s) / greatest(length(l.s), length(r.s)) <= 0.2",
                "2 * edit_distance(l.s, r.s) / (length(l.s) + length(r.s)) < 0.3",
                "edit_distance(l.s, r.s) / greatest(length(l.s), 2) <= 0.25",
                "edit_distance(l.s, r.s) / if(length(r.s) = 0, NULL, length(r.s)) <= 0.25",
                "edit_distance(l.s, r.s) / nullif(greatest(length(l.s), length(r.s)), 0) <= 0.25",
                "1 - edit_distance(l.s, r.s) / nullif(least(length(l.s), length(r.s)), 0) >= 0.75",
                "5 * edit_distance(l.s, r.s) <= greatest(length(l.s), length(r.s))",
                "edit_distance(r.s, l.s) * 0.5 < 0.1 * length(l.s)",
                "edit_distance(l.s, r.s) / 2 <= 1"
            })
    void limitsByLength(String condition) {
        // the division fails for two empty strings
        String query = "SELECT %s FROM (SELECT * FROM l WHERE s <> '') l %s JOIN r ON l.t = r.t AND " + condition;
        assertSameAsCrossProduct(query.formatted("l.id, r.id", "INNER"));
        assertSameAsCrossProduct(query.formatted("l.*", "LEFT ANTI"));
    }

    /**
     * Tests length-dependent limits that also have a minimum or a maximum, and limits that are replaced with a simpler
     * upper bound.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            edit_distance(l.s, r.s) <= greatest(1, 0.2 * length(l.s))            | 0.2 * longer length, at least 1
            edit_distance(l.s, r.s) <= least(2, length(l.s) div 4)               | 0.25 * longer length, at most 2
            osa_distance(l.s, r.s) < greatest(1, least(length(r.s) / 5, 3)) + 1 | + 1, at least 2, at most 4
            edit_distance(l.s, r.s) <= greatest(0.3 * length(r.s), 0.2 * length(l.s)) | <= 0.3 * longer length
            edit_distance(l.s, r.s) <= least(0.3 * length(r.s), 0.2 * length(l.s)) | <= 0.3 * shorter length
            edit_distance(l.s, r.s) <= least(2, length(l.s))                     | edit_distance <= 2,
            edit_distance(l.s, r.s) <= if(length(l.s) <= 5, 1, 2)                | edit_distance <= 2,
            damerau_levenshtein(l.s, r.s) <= CASE WHEN length(l.s) < 3 THEN 0 ELSE 2 END | damerau_levenshtein <= 2,
            edit_distance(l.s, r.s) <= 3 - if(l.n = 1, 1, 2)                     | edit_distance <= 2,
            edit_distance(l.s, r.s) <= CASE WHEN l.n = 1 THEN 1 WHEN l.n = 2 THEN 2 END | edit_distance <= 2,
            """)
    void limitsWithBounds(String condition, String measure) {
        String query = "SELECT l.id, r.id FROM l JOIN r ON l.t = r.t AND " + condition;
        assertThat(executed(query)).contains(measure);
        assertSameAsCrossProduct(query);
    }

    /** Tests conditions that a similarity is at least a given number. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jaro_winkler_similarity(l.s, r.s) >= 0.9",
                "jaro_winkler_similarity(r.s, l.s) > 0.75D",
                "0.85 <= jaro_winkler_similarity(l.s, r.s) AND l.n <= r.n",
                "jaro_similarity(l.s, r.s) >= 0.8",
                "0.7 < jaro_similarity(r.s, l.s)",
                "ratio(l.s, r.s) >= 80",
                "ratio(l.s, r.s) > 66.6 AND edit_distance(l.s, r.s) > 1",
                "ratio(l.s, r.s) >= 75.0 AND jaro_similarity(l.s, r.s) >= 0.8",
                "jaro_similarity(l.s, r.s) >= 0.7 AND edit_distance(concat(l.s, l.n), concat(r.s, r.n)) <= 2"
            })
    void similarities(String condition) {
        String query = "SELECT %s FROM l %s JOIN r ON l.t = r.t AND " + condition;
        assertSameAsCrossProduct(query.formatted("l.id, r.id", "INNER"));
        assertSameAsCrossProduct(query.formatted("l.*", "LEFT ANTI"));
    }

    /** If the function fails for a pair of rows, the join fails too. */
    @Test
    void differentLengths() {
        String query = "SELECT l.id, r.id FROM l JOIN r ON hamming_distance(l.s, r.s) <= 1 AND ";
        assertThat(executed(query + "l.n = r.n")).contains(NODE);
        assertThatThrownBy(() -> spark.sql(query + "l.n = r.n").collectAsList())
                .hasStackTraceContaining("BELLMAN_INPUT_VALUE")
                .hasStackTraceContaining("the two lengths must be equal");
        assertSameAsCrossProduct(query + "length(r.s) = length(l.s)");
    }

    /**
     * Tests conditions for which a join is not planned. For example, a call with a limit returns -1 for strings beyond
     * the limit, and -1 is at most 2.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(l.s, r.s, 3) <= 2",
                "edit_distance(l.s, r.s) >= 2",
                "edit_distance(l.s, r.s) <= l.n",
                "edit_distance(l.s, r.s) <= round(0.2 * length(l.s), -1)",
                "CAST(jaro_winkler_similarity(l.s, r.s) AS DECIMAL(2, 1)) >= 0.9",
                "CAST(edit_distance(l.s, r.s) / greatest(length(l.s), length(r.s)) AS INT) <= 0",
                "CAST(edit_distance(l.s, r.s) AS DECIMAL(2, 0)) <= 0.3 * length(l.s)",
                "edit_distance(l.s, r.s) / length(r.s) <= 0.3",
                "edit_distance(l.s, r.s) / (length(l.s) - length(r.s)) <= 0.3",
                "edit_distance(l.s, r.s) / if(length(l.s) = 0, -9, length(l.s)) <= 0.3",
                "edit_distance(l.s, r.s) / if(length(l.s) = 1, NULL, length(l.s)) <= 0.3",
                "1000000000 * edit_distance(l.s, r.s) <= length(l.s)",
                "-1 * edit_distance(l.s, r.s) <= 0.2 * length(l.s)",
                "edit_distance(l.s, r.s) <= if(l.n = 1, l.n, 2)",
                "edit_distance(l.s, r.s) <= 2 + if(l.n = 1, 0.1, 0.2) * (length(l.s) - 9)",
                "edit_distance(l.s, r.s) <= length(l.s) / if(l.n = 1, 3, 9)",
                "edit_distance(l.s, r.s) / CAST(greatest(length(l.s), 0.4) AS INT) <= 0.3",
                "edit_distance(l.s, r.s) <= CAST(0.2 * length(l.s) AS FLOAT)",
                "edit_distance(l.s, r.s) <= 2 OR l.n = 3",
                "edit_distance(l.s, 'abc') <= 2"
            })
    void notPlanned(String condition) {
        assertThat(spark.sql("SELECT * FROM l JOIN r ON l.t = r.t AND " + condition)
                        .queryExecution()
                        .optimizedPlan()
                        .toString())
                .doesNotContain(NODE);
    }

    @Test
    void selfJoins() {
        assertSameAsCrossProduct(
                "SELECT a.id, b.id FROM l a JOIN l b ON edit_distance(a.s, b.s) <= 1 AND a.id < b.id AND a.t = b.t");
        assertSameAsCrossProduct(
                "SELECT a.id, b.id FROM l a, l b WHERE edit_distance(a.s, b.s) <= 1 AND a.id > b.id AND a.id < 400");
        assertSameAsCrossProduct(
                "SELECT a.id, b.id FROM l a JOIN l b ON edit_distance(reverse(a.s), b.s) <= 1 AND a.t = b.t");
        String strings = spark.sql(
                        "SELECT a.id, b.id FROM l a JOIN l b ON edit_distance(a.s, b.s) <= 1 AND a.id < b.id")
                .queryExecution()
                .optimizedPlan()
                .toString();
        assertThat(strings).doesNotContain("Union");
    }

    @Test
    void subqueries() {
        assertSameAsCrossProduct(
                "SELECT * FROM l WHERE EXISTS (SELECT 1 FROM r WHERE edit_distance(l.s, r.s) <= 1 AND r.t = l.t)");
        assertSameAsCrossProduct(
                "SELECT * FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE edit_distance(l.s, r.s) <= 2 AND r.n = l.n)");
        assertSameAsCrossProduct(
                "SELECT * FROM l WHERE n = 1 OR EXISTS (SELECT 1 FROM r WHERE edit_distance(l.s, r.s) <= 1 AND r.t "
                        + "= l.t)");
        assertSameAsCrossProduct(
                "SELECT count(*) FROM l WHERE l.id IN (SELECT r.id FROM r WHERE edit_distance(l.s, r.s) <= 3)");
        assertSameAsCrossProduct(
                "SELECT id, EXISTS (SELECT 1 FROM r WHERE edit_distance(l.s, r.s) <= 1 AND r.t = l.t) FROM l");
        assertSameAsCrossProduct("SELECT CASE WHEN n = 1 OR NOT EXISTS (SELECT 1 FROM r WHERE edit_distance(l.s, r.s) "
                + "<= 1) THEN id ELSE -1 END c, id + 1 FROM l WHERE id < 300");
        assertSameAsCrossProduct(
                "SELECT t, max(EXISTS (SELECT 1 FROM r WHERE edit_distance(l.s, r.s) <= 1)) FROM l GROUP BY t");
        assertSameAsCrossProduct(
                "SELECT id, l.id IN (SELECT r.id FROM r WHERE edit_distance(l.s, r.s) <= 3) i FROM l ORDER BY i, id");
    }

    /** Tests sides that are queries: groups, sorted rows with a LIMIT, joins, and rows with random numbers. */
    @Test
    void sidesThatAreQueries() {
        String sides = "FROM (SELECT t, s, count(*) c FROM l GROUP BY t, s) a JOIN (SELECT id, t, s FROM r ORDER BY id "
                + "LIMIT 300) b";
        assertSameAsCrossProduct("SELECT a.c, b.id %s ON edit_distance(a.s, b.s) <= 1 AND a.t = b.t".formatted(sides));
        assertSameAsCrossProduct("SELECT a.c, b.id %s ON edit_distance(a.s, b.s) <= 1".formatted(sides));
        assertSameAsCrossProduct(
                "SELECT a.id, c.id FROM l a JOIN r b ON edit_distance(a.s, b.s) <= 1 AND a.t = b.t JOIN l c ON "
                        + "edit_distance(b.s, c.s) <= 1 AND b.t = c.t");
        Dataset<Row> random = spark.sql(
                "SELECT a.s, b.s, edit_distance(a.s, b.s) d FROM (SELECT s, rand() x FROM l) a JOIN (SELECT s FROM "
                        + "r WHERE s IS NOT NULL LIMIT 50) b ON edit_distance(a.s, b.s) <= 1 AND a.x < 0.5");
        assertThat(random.collectAsList()).isNotEmpty().allSatisfy(row -> assertThat(row.getInt(2))
                .isBetween(0, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "deletion", "segments"})
    void everyMethod(String method) {
        spark.conf().set(SimilarityJoin.METHOD, method);
        try {
            Dataset<Row> joined = spark.sql("SELECT l.id, r.id FROM l JOIN r ON edit_distance(l.s, r.s) <= 2");
            joined.collectAsList();
            assertThat(plan(joined)).contains("method=" + method);
            assertSameAsCrossProduct("SELECT l.id, r.id FROM l JOIN r ON l.t = r.t AND edit_distance(l.s, r.s) <= 2");
            assertSameAsCrossProduct(
                    "SELECT l.id FROM l LEFT ANTI JOIN r ON l.t = r.t AND edit_distance(l.s, r.s) < 0");
        } finally {
            spark.conf().unset(SimilarityJoin.METHOD);
        }
    }
}
