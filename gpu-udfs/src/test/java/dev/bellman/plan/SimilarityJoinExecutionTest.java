package dev.bellman.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how joins on distances run: their memory, skew, plans, and passes over rows. */
class SimilarityJoinExecutionTest extends SimilarityJoinFixture {
    @Test
    void withoutReuseOfShuffles() {
        spark.conf().set("spark.sql.exchange.reuse", "false");
        try {
            assertSameAsCrossProduct("SELECT l.id, r.id FROM l JOIN r ON l.t = r.t AND edit_distance(l.s, r.s) <= 1");
            assertThat(spark.sql("SELECT * FROM (SELECT DISTINCT s FROM l) l JOIN r ON edit_distance(l.s, r.s) <= 1")
                            .queryExecution()
                            .optimizedPlan()
                            .toString())
                    .doesNotContain(NODE);
        } finally {
            spark.conf().unset("spark.sql.exchange.reuse");
        }
    }

    /** If strings need more memory than is available, they are searched in several passes. */
    @ParameterizedTest
    @ValueSource(ints = {100, 375})
    void littleMemory(int bytesOfATable) {
        spark.conf().set(SimilarityJoin.MEMORY, Integer.toString(TABLES * bytesOfATable));
        try {
            Dataset<Row> joined =
                    spark.sql("SELECT l.id, r.id FROM l JOIN r ON l.t = r.t AND edit_distance(l.s, r.s) <= 2");
            joined.collectAsList();
            assertThat(plan(joined)).containsPattern("passes=(3|6|[1-9][\\d,]+),");
            assertSameAsCrossProduct("SELECT l.id, r.id FROM l JOIN r ON l.t = r.t AND edit_distance(l.s, r.s) <= 2");
            assertSameAsCrossProduct(
                    "SELECT a.id, b.id FROM l a JOIN l b ON edit_distance(a.s, b.s) <= 1 AND a.id < b.id AND a.t = "
                            + "b.t");
            assertSameAsCrossProduct(
                    "SELECT l.* FROM l LEFT ANTI JOIN r ON l.t = r.t AND edit_distance(l.s, r.s) <= 3");
        } finally {
            spark.conf().unset(SimilarityJoin.MEMORY);
        }
    }

    @Test
    void memoryThatIsNoSize() {
        spark.conf().set(SimilarityJoin.MEMORY, "much");
        try {
            assertThatThrownBy(() -> spark.sql("SELECT l.id FROM l JOIN r ON edit_distance(l.s, r.s) <= 1")
                            .collectAsList())
                    .isInstanceOf(SparkRuntimeException.class)
                    .hasMessageContaining("spark.bellman.join.memory is 'much'; it must be a size");
        } finally {
            spark.conf().unset(SimilarityJoin.MEMORY);
        }
    }

    @Test
    void withoutAdaptiveExecution() {
        spark.conf().set("spark.sql.adaptive.enabled", "false");
        try {
            assertSameAsCrossProduct(
                    "SELECT l.id, r.id FROM l LEFT JOIN r ON l.t = r.t AND edit_distance(l.s, r.s) <= 2");
            assertSameAsCrossProduct(
                    "SELECT a.id, b.id FROM (SELECT DISTINCT id, s FROM l) a JOIN l b ON edit_distance(a.s, b.s) <= "
                            + "1 AND a.id < b.id");
        } finally {
            spark.conf().unset("spark.sql.adaptive.enabled");
        }
    }

    /** A third of all rows have the same string. */
    @Test
    void skew() {
        spark.range(60_000)
                .selectExpr("id", "if(id % 3 = 0, 'unknown', concat('string', cast(id * 7919 % 100003 as string))) s")
                .createOrReplaceTempView("skewed");
        Dataset<Row> joined = spark.sql(
                "SELECT a.id FROM skewed a LEFT SEMI JOIN (SELECT * FROM skewed WHERE s <> 'unknown' OR id = 0) b"
                        + " ON edit_distance(a.s, b.s) <= 1 AND a.id <> b.id");
        assertThat(joined.queryExecution().optimizedPlan().toString()).contains(NODE);
        long expected = spark.sql("SELECT * FROM skewed WHERE s = 'unknown'").count() - 1;
        assertThat(joined.where("id % 3 = 0").count()).isEqualTo(expected);
    }

    /** Only equal strings are close, and some of them have many rows, so each part must return its own equal strings. */
    @Test
    void equalStringsOfAllParts() {
        spark.range(60_000)
                .selectExpr(
                        "id",
                        "substring(md5(cast(least(id * 7919 % 40009, 39000) AS STRING)), 1, cast(14 + id * 7919 % 40009 % 5 "
                                + "AS INT)) s")
                .createOrReplaceTempView("several");
        Dataset<Row> joined =
                spark.sql("SELECT a.id, b.id FROM several a JOIN several b ON edit_distance(a.s, b.s) <= 1 "
                        + "AND length(a.s) = length(b.s) AND a.id < b.id");
        assertThat(joined.queryExecution().optimizedPlan().toString()).contains(NODE);
        assertThat(lines(joined.collectAsList()))
                .isEqualTo(
                        lines(spark.sql("SELECT a.id, b.id FROM several a JOIN several b ON a.s = b.s AND a.id < b.id")
                                .collectAsList()));
    }

    @Test
    void explains() {
        Dataset<Row> joined = spark.sql("SELECT l.id, r.id FROM l JOIN r ON edit_distance(l.s, r.s) <= 2");
        assertThat(plan(joined))
                .contains("SimilarStrings [left_string")
                .contains("edit_distance <= 2, method=auto, maxPairs=2,000,000,000");
        joined.collectAsList();
        assertThat(plan(joined))
                .containsPattern(
                        "edit_distance <= 2, method=\\w+ \\(.+\\), passes=1, strings=[\\d,]+, keys=[\\d,]+, estimated pairs of "
                                + "strings=[\\d,]+");
    }

    @Test
    void refusesTooManyPairs() {
        spark.conf().set(SimilarityJoin.MAX_PAIRS, "1000");
        try {
            assertThatThrownBy(() -> spark.sql("SELECT l.id, r.id FROM l JOIN r ON edit_distance(l.s, r.s) <= 3")
                            .collectAsList())
                    .isInstanceOf(SparkRuntimeException.class)
                    .hasMessageContaining("BELLMAN_JOIN_PAIRS")
                    .hasMessageContaining("spark.bellman.join.maxPairs allows 1,000");
        } finally {
            spark.conf().unset(SimilarityJoin.MAX_PAIRS);
        }
    }

    /**
     * A join of a table with itself counts only the pairs that it returns: 4,950 in one order, 10,000 in both orders.
     */
    @Test
    void countsPairsOnce() {
        spark.range(100)
                .selectExpr("id", "substring(cast(id + 1000 AS STRING), 1, 1) AS s")
                .createOrReplaceTempView("ones");
        String query = "SELECT count(*) FROM ones a JOIN ones b ON edit_distance(a.s, b.s) <= 1";
        spark.conf().set(SimilarityJoin.MAX_PAIRS, "4950");
        try {
            for (String order : List.of("a.id < b.id", "b.id < a.id", "a.id > b.id")) {
                assertThat(lines(spark.sql(query + " AND " + order).collectAsList()))
                        .containsExactly("[4950]");
            }
            for (String id : List.of("id", "id AS other")) {
                String renamed = "SELECT count(*) FROM ones a JOIN (SELECT %s, s AS copy FROM ones) b "
                        + "ON edit_distance(a.s, b.copy) <= 1 AND a.id < b." + id.replace("id AS ", "");
                assertThat(lines(spark.sql(renamed.formatted(id)).collectAsList()))
                        .containsExactly("[4950]");
            }
            for (String order : List.of("", " AND a.id <> b.id", " AND a.id < b.id + 1")) {
                assertThatThrownBy(() -> spark.sql(query + order).collectAsList())
                        .hasStackTraceContaining("would return about 10,000 pairs of rows");
            }
            spark.conf().set(SimilarityJoin.MAX_PAIRS, "0");
            spark.sql("SELECT * FROM ones WHERE id < 2").createOrReplaceTempView("two");
            assertThatThrownBy(() -> spark.sql(query.replace("ones", "two") + " AND a.id < b.id")
                            .collectAsList())
                    .hasStackTraceContaining("would return about 1 pair of rows, from 1 distinct string;");
        } finally {
            spark.conf().unset(SimilarityJoin.MAX_PAIRS);
        }
    }

    private static final String OF_ROWS = "rows=[";

    /** The node joins whole rows if the join is inner and the rows have only a few columns of fixed size. */
    @Test
    void joinsRows() {
        String on = " ON edit_distance(x.s, y.s) <= 1 AND x.t = y.t";
        for (String query : List.of(
                "SELECT x.id, y.id FROM l x JOIN r y" + on,
                "SELECT count(*) FROM l x JOIN r y" + on,
                "SELECT x.s, y.s, y.n FROM l x JOIN r y" + on + " AND x.id < y.id",
                "SELECT x.id, y.s, edit_distance(x.s, y.s) FROM l x JOIN r y" + on + " AND x.s < y.s AND x.n < y.n",
                "SELECT x.id, y.id FROM l x JOIN r y" + on + " AND edit_distance(x.s, concat(y.s, 'a')) = 1",
                "SELECT x.*, y.* FROM l x JOIN l y" + on + " AND x.id > y.id",
                "SELECT x.*, y.n FROM l x JOIN l y" + on,
                "SELECT 1 FROM (SELECT s, t FROM l) x JOIN (SELECT s, t FROM r) y" + on,
                "SELECT max(x.s), count(*) FROM (SELECT s FROM l WHERE id < 90) x JOIN (SELECT s FROM r) y ON "
                        + "edit_distance(x.s, y.s) < 2",
                "SELECT x.s, x.c, y.c FROM (SELECT s, t, sum(n) c FROM l GROUP BY s, t) x JOIN (SELECT s, t, avg(n) "
                        + "c FROM l GROUP BY s, t) y"
                        + on)) {
            assertThat(executed(query)).as(query).contains(OF_ROWS);
            assertSameAsCrossProduct(query);
        }
        for (String query : List.of(
                "SELECT x.id, y.id FROM l x LEFT JOIN r y" + on,
                "SELECT x.id, x.u FROM (SELECT *, concat(s, id) u FROM l) x JOIN r y" + on,
                "SELECT x.* FROM (SELECT *, id + 1, n + 1 FROM l) x JOIN r y" + on)) {
            assertThat(executed(query)).as(query).doesNotContain(OF_ROWS);
            assertSameAsCrossProduct(query);
        }
    }

    /** Tests columns of every type that may be joined as part of a whole row; some values are NULL. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CAST(m AS TINYINT) c, CAST(m AS SMALLINT) d, CAST(m AS BIGINT) e",
                "CAST(m AS FLOAT) c, m / 7D d, m > 40 e",
                "date_from_unix_date(m) c, timestamp_seconds(m) d, CAST(m AS DECIMAL(18, 3)) e"
            })
    void columnsOfEveryType(String columns) {
        String rows = "(SELECT s, t, " + columns + " FROM (SELECT *, if(mod(id, 5) = 0, NULL, mod(id, 90)) m FROM %s))";
        String query = "SELECT x.c, x.d, x.e, y.c, y.d, y.e FROM " + rows.formatted("l") + " x JOIN "
                + rows.formatted("r") + " y ON edit_distance(x.s, y.s) <= 2 AND x.t = y.t";
        assertThat(executed(query)).contains(OF_ROWS);
        assertSameAsCrossProduct(query);
        assertSameAsCrossProduct(query + " AND x.c <=> y.c");
    }

    /** Joins a cached table with itself, with so little memory that the search needs several passes. */
    @Test
    void rowsInPasses() {
        Dataset<Row> cached =
                spark.sql("SELECT t, id, s FROM l WHERE length(s) < 12").persist();
        cached.count();
        cached.createOrReplaceTempView("cached");
        spark.conf().set(SimilarityJoin.MEMORY, Integer.toString(TABLES * 240));
        try {
            for (String order : List.of("", " AND x.id < y.id")) {
                String query =
                        "SELECT x.id, y.id FROM cached x JOIN cached y ON edit_distance(x.s, y.s) <= 2 AND x.t = y.t"
                                + order;
                Dataset<Row> joined = spark.sql(query);
                joined.collectAsList();
                assertThat(plan(joined)).contains(OF_ROWS).containsPattern("passes=(3|6|[1-9][\\d,]+),");
                assertSameAsCrossProduct(query);
            }
        } finally {
            spark.conf().unset(SimilarityJoin.MEMORY);
            cached.unpersist();
        }
    }
}
