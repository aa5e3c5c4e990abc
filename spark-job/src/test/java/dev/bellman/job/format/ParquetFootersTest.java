package dev.bellman.job.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetFootersTest {
    private final SparkSession spark = LocalSpark.session();

    private final Configuration configuration = new Configuration();

    @TempDir
    Path folder;

    private String out;

    private void write(Dataset<Row> rows) {
        out = folder.resolve("out").toString();
        rows.write().mode("overwrite").parquet(out);
    }

    private List<org.apache.hadoop.fs.Path> files() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(out))) {
            return files.filter(file -> file.toString().endsWith(".parquet"))
                    .map(file -> new org.apache.hadoop.fs.Path(file.toUri()))
                    .toList();
        }
    }

    @Test
    void columnsWithoutNulls() throws IOException {
        write(spark.range(0, 30, 1, 3)
                .selectExpr(
                        "id",
                        "string(id) AS text",
                        "if(id = 29, null, id) AS last",
                        "if(id < 0, null, double(id)) AS none",
                        "array(id) AS list",
                        "named_struct('x', id) AS both"));

        assertThat(ParquetFooters.columnsWithoutNulls(out, 30, configuration))
                .containsExactlyInAnyOrder("id", "text", "none");
        // if the number of rows differs, the files are not those of the run
        assertThat(ParquetFooters.columnsWithoutNulls(out, 29, configuration)).isEmpty();
        assertThat(ParquetFooters.rows(files(), configuration)).isEqualTo(OptionalLong.of(30));
    }

    @Test
    void unreadableFolders() throws IOException {
        write(spark.range(3).toDF());
        Path text = Files.writeString(Path.of(out, "part-9.txt"), "text");
        assertThat(ParquetFooters.columnsWithoutNulls(out, 3, configuration)).isEmpty();

        Files.delete(text);
        Path damaged = Files.writeString(Path.of(out, "part-9.parquet"), "text");
        assertThat(ParquetFooters.columnsWithoutNulls(out, 3, configuration)).isEmpty();
        assertThat(ParquetFooters.rows(files(), configuration)).isEmpty();

        Files.delete(damaged);
        Files.createDirectory(Path.of(out, "p=1"));
        assertThat(ParquetFooters.columnsWithoutNulls(out, 3, configuration)).isEmpty();
    }

    /** The rows and values of small files are read completely, but only some of the rows of a large file are read. */
    @Test
    void rowsOfSmallOutputs() throws IOException {
        write(spark.range(0, 30, 1, 3)
                .selectExpr(
                        "if(id = 4, null, repeat('é', int(id))) AS text",
                        "id / 4 AS real",
                        "sequence(0, id) AS list",
                        "named_struct('x', timestamp'1500-02-28 01:02:03.5') AS both"));
        Dataset<Row> rows = spark.read().parquet(out);

        WrittenRows read = WrittenRows.read(out, List.of("text", "real", "list"), configuration)
                .orElseThrow();
        assertThat(read.areAll(30)).isTrue();
        assertThat(read.first(rows.schema(), 5))
                .containsExactlyElementsOf(rows.orderBy("real").takeAsList(5));
        assertThat(read.values(0)).hasSize(30).startsWith(0.0, 1.0, 2.0, 3.0, Double.NaN, 5.0);
        assertThat(read.values(1)).startsWith(0.0, 0.25, 0.5);
        assertThat(read.values(2)).startsWith(1.0, 2.0, 3.0).endsWith(30.0);

        write(spark.range(0, 5000, 1, 1).selectExpr("id AS real"));
        assertThat(WrittenRows.read(out, List.of("real"), configuration)
                        .orElseThrow()
                        .areAll(5000))
                .isFalse();
        write(spark.range(1).selectExpr("repeat('a', 10000000) AS text"));
        assertThat(WrittenRows.read(out, List.of("text"), configuration)).isEmpty();
    }
}
