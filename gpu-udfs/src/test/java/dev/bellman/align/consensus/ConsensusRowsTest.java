package dev.bellman.align.consensus;

import static org.apache.spark.sql.functions.call_function;
import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Tests {@code consensus} as an aggregate over rows. */
class ConsensusRowsTest extends SparkTest {
    private static final String READS =
            "VALUES ('m1', 'ACGTTGCA'), ('m1', 'ACGTGCA'), ('m2', NULL), ('m1', 'ACTTTGCA'), ('m2', 'GATTACA'), "
                    + "('m3', NULL) AS reads(molecule, sequence)";

    private static List<String> rows(String query) {
        return spark.sql(query).collectAsList().stream().map(Row::toString).toList();
    }

    @Test
    void groups() {
        assertThat(rows("SELECT molecule, consensus(sequence) AS c, count(*) FROM " + READS
                        + " GROUP BY molecule HAVING consensus(sequence) IS DISTINCT FROM 'x' ORDER BY molecule"))
                .containsExactly("[m1,ACGTTGCA,3]", "[m2,GATTACA,2]", "[m3,null,1]");
    }

    /** The strings are sorted, so neither the order of rows nor the number of partitions affects the result. */
    @Test
    void order() {
        spark.range(200)
                .selectExpr("substr(sha2(cast(id AS STRING), 256), 1, 20) AS s", "id")
                .createOrReplaceTempView("hashes");
        String sorted = rows("SELECT consensus(array_sort(collect_list(s)), 'match 1 mismatch -1 gap 1') FROM hashes")
                .get(0);
        for (String order : List.of("s", "id", "s DESC")) {
            assertThat(rows("SELECT try_consensus(sequences => s, scoring => 'match 1 mismatch -1 gap 1') "
                            + "FROM (SELECT /*+ REPARTITION(3) */ s FROM hashes ORDER BY " + order + ")"))
                    .containsExactly(sorted);
        }
    }

    @Test
    void clauses() {
        assertThat(rows("SELECT consensus(DISTINCT s), consensus(s), "
                        + "consensus(s) FILTER (WHERE s != 'ACCC'), "
                        + "try_consensus(sequences => s) FILTER (WHERE s = 'x') "
                        + "FROM VALUES ('AGGG'), ('ACCC'), ('ACCC'), ('AGGG'), ('AGGG'), ('ACCC'), ('ACCC') AS t(s)"))
                .containsExactly("[%s,ACCC,AGGG,null]"
                        .formatted(rows("SELECT consensus(array('ACCC', 'AGGG'))")
                                .get(0)
                                .replaceAll("[\\[\\]]", "")));
        assertThat(rows("SELECT DISTINCT molecule, consensus(sequence) OVER (PARTITION BY molecule), "
                        + "consensus(scoring => 'match 5 mismatch -4 open 8 extend 6', sequences => sequence) OVER w "
                        + "FROM " + READS + " WINDOW w AS (PARTITION BY molecule) ORDER BY molecule"))
                .containsExactly("[m1,ACGTTGCA,ACGTTGCA]", "[m2,GATTACA,GATTACA]", "[m3,null,null]");
        assertThat(spark.sql("SELECT * FROM " + READS)
                        .select(call_function("consensus", col("sequence")).over())
                        .distinct()
                        .collectAsList())
                .containsExactlyElementsOf(
                        spark.sql("SELECT consensus(sequence) FROM " + READS).collectAsList());
    }

    /** An empty array has an empty consensus, but an aggregate over no strings is NULL. */
    @Test
    void noStrings() {
        assertThat(rows("SELECT consensus(s), consensus(collect_list(s)), count(*) "
                        + "FROM VALUES ('A') AS t(s) WHERE s = ''"))
                .containsExactly("[null,,0]");
    }

    @Test
    void names() {
        assertThat(spark.sql("SELECT consensus(sequence), consensus(DISTINCT sequence) FILTER (WHERE sequence != 'A'), "
                                + "consensus(sequence, 'match 1 mismatch -1 gap 1') FROM " + READS)
                        .columns())
                .containsExactly(
                        "consensus(sequence)",
                        "consensus(DISTINCT sequence) FILTER (WHERE (NOT (sequence = A)))",
                        "consensus(sequence, match 1 mismatch -1 gap 1)");
        assertThat(spark.sql("SELECT consensus(sequence) OVER (PARTITION BY molecule) FROM " + READS)
                        .columns())
                .containsExactly("consensus(sequence) OVER (PARTITION BY molecule "
                        + "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)");
        assertThat(spark.sql("SELECT alignment('AC', 'AG', 'extension', 'match 1 mismatch -1 gap 1', band => 3), "
                                + "dtw(array(1D), array(2D), power => 1)")
                        .columns())
                .containsExactly(
                        "alignment(AC, AG, extension, match 1 mismatch -1 gap 1, band => 3)",
                        "dtw(array(1.0), array(2.0), power => 1)");
    }

    @Test
    void rejected() {
        assertThatThrownBy(() -> spark.sql("SELECT molecule, consensus(sequence) FROM " + READS))
                .hasMessageContaining("GROUP BY");
        assertThatThrownBy(() -> spark.sql("SELECT consensus(1)"))
                .hasMessageContaining("the argument sequences is of type INT; it must be ARRAY<STRING>");
    }
}
