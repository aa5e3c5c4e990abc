package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.SparkTest;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** Views in a catalogue may call the functions, as they may call Spark's built-in functions. */
class PersistentViewsTest extends SparkTest {
    private static List<String> lines(Dataset<Row> rows) {
        return rows.collectAsList().stream().map(Row::toString).sorted().toList();
    }

    @Test
    void otherSessionsReadViews() {
        spark.sql("CREATE VIEW edits AS SELECT id, edit_distance(s, 'kitten') AS d, consensus(array(s, s)) AS c "
                + "FROM VALUES (1, 'sitting'), (2, 'mitten') AS names(id, s)");
        spark.sql("CREATE VIEW pairs AS SELECT s_a, s_b, distance FROM "
                + "similar_pairs(TABLE(SELECT * FROM VALUES ('ab'), ('ac') AS t(s)), 's', 1)");
        SparkSession other = spark.newSession();

        assertThat(lines(other.table("edits"))).containsExactly("[1,3,sitting]", "[2,1,mitten]");
        assertThat(lines(other.table("pairs"))).containsExactly("[ab,ac,1]");
    }
}
