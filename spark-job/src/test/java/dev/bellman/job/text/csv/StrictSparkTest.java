package dev.bellman.job.text.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows that Spark's reader, even with its strictest options, loses data without an error. If this test fails,
 * Bellman's reader may no longer be needed.
 */
class StrictSparkTest {
    private final SparkSession spark = LocalSpark.session();

    @TempDir
    private Path folder;

    private Path file(byte[] text) throws IOException {
        return Files.write(folder.resolve("in.csv"), text);
    }

    private Path file(String text) throws IOException {
        return file(text.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> bySpark(Path file) {
        return bytes(spark.read()
                .option("header", true)
                .option("mode", "FAILFAST")
                .option("escape", "\"")
                .option("unescapedQuoteHandling", "RAISE_ERROR")
                .option("enforceSchema", false)
                .csv(file.toString()));
    }

    private List<String> byOurs(Path file) {
        return bytes(spark.read()
                .format(CsvFormat.class.getName())
                .option("header", true)
                .load(file.toString()));
    }

    private static List<String> bytes(Dataset<Row> rows) {
        return rows.selectExpr("hex(x)").collectAsList().stream()
                .map(row -> row.getString(0))
                .toList();
    }

    @Test
    void blankRecords() throws IOException {
        Path file = file("x\na\n\nb\n");

        assertThat(bySpark(file)).containsExactly("61", "62");
        assertThat(byOurs(file)).containsExactly("61", null, "62");
    }

    @Test
    void bytesThatAreNotUtf8() throws IOException {
        Path file = file(new byte[] {'x', ',', 'y', '\n', (byte) 0xe9, ',', 'b', '\n'});

        assertThat(bySpark(file)).containsExactly("EFBFBD");
        assertThatThrownBy(() -> byOurs(file)).hasStackTraceContaining("the record is not UTF-8");
    }

    @Test
    void strayQuotes() throws IOException {
        Path file = file("x,y\na\"b,c\n");

        assertThat(bySpark(file)).containsExactly("612262");
        assertThatThrownBy(() -> byOurs(file))
                .hasStackTraceContaining("field 1 contains a quote but does not start with one");
    }
}
