package dev.bellman.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests statements that change an Iceberg table, depending on the distance between its strings and other strings. */
class LakeStatementsTest extends LakeFixture {
    @ParameterizedTest
    @ValueSource(strings = {"copy-on-write", "merge-on-read"})
    void changedByDistance(String mode) {
        String table = Table.ICEBERG_NAME.fresh();
        spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.db");
        spark.sql("""
                CREATE TABLE %s (id INT, name STRING) USING iceberg TBLPROPERTIES (
                  'write.merge.mode' = '%2$s', 'write.update.mode' = '%2$s', 'write.delete.mode' = '%2$s')""".formatted(table, mode));
        spark.sql("INSERT INTO %s VALUES (1, 'Jonson'), (2, 'Smith'), (3, 'Meyer'), (4, NULL)".formatted(table));
        spark.sql("SELECT * FROM VALUES ('Johnson'), ('Smyth'), (NULL) AS s(name)")
                .createOrReplaceTempView("known");

        spark.sql("""
                MERGE INTO %s t USING known s ON edit_distance(t.name, s.name) <= 1
                WHEN MATCHED THEN UPDATE SET name = s.name""".formatted(table));
        assertThat(rowsOf(table)).isEqualTo("[[1,Johnson], [2,Smyth], [3,Meyer], [4,null]]");

        spark.sql(
                "UPDATE %s t SET id = -id WHERE EXISTS (SELECT 1 FROM known s WHERE edit_distance(t.name, s.name) <= 1)"
                        .formatted(table));
        assertThat(rowsOf(table)).isEqualTo("[[-2,Smyth], [-1,Johnson], [3,Meyer], [4,null]]");

        spark.sql("DELETE FROM %s t WHERE NOT EXISTS (SELECT 1 FROM known s WHERE edit_distance(t.name, s.name) <= 2)"
                .formatted(table));
        assertThat(rowsOf(table)).isEqualTo("[[-2,Smyth], [-1,Johnson]]");
    }

    private static String rowsOf(String table) {
        List<Row> rows =
                spark.sql("SELECT * FROM %s ORDER BY id".formatted(table)).collectAsList();
        return rows.toString();
    }
}
