package dev.bellman.align.consensus;

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
                        + " GROUP BY molecule HAVING consensus(sequence) != 'x' ORDER BY molecule"))
                .containsExactly("[m1,ACGTTGCA,3]", "[m2,GATTACA,2]", "[m3,,1]");
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
    void rejected() {
        assertThatThrownBy(() -> spark.sql("SELECT molecule, consensus(sequence) FROM " + READS))
                .hasMessageContaining("GROUP BY");
        assertThatThrownBy(() -> spark.sql("SELECT consensus(1)"))
                .hasMessageContaining("the argument sequences is of type INT; it must be ARRAY<STRING>");
    }
}
