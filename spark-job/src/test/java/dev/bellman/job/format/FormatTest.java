package dev.bellman.job.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.LocalSpark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that every format reads back what it wrote. */
class FormatTest {
    private static final String[] PIECES = {
        "a",
        "bc",
        " ",
        "\"",
        "\"\"",
        "\\",
        "\\\"",
        ",",
        "'",
        "#",
        "\n",
        "\r",
        "\r\n",
        "\t",
        "\u00e4",
        "\ud83d\ude00",
        "null",
        ""
    };

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"csv,1", "csv,2", "csv,3", "tsv,2", "tsv,3", "json,2"})
    void roundTrip(String name, int columns) {
        Format format = Format.named(name).orElseThrow();
        SparkSession spark = LocalSpark.session();
        Random random = new Random(columns);
        StructType schema = new StructType();
        for (int i = 0; i < columns; i++) {
            schema = schema.add("c" + i, DataTypes.StringType);
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Object[] values = new Object[columns];
            for (int c = 0; c < columns; c++) {
                values[c] = text(random, format, columns > 1);
            }
            rows.add(RowFactory.create(values));
        }
        Dataset<Row> written = spark.createDataFrame(rows, schema).coalesce(1);
        String path = folder.resolve("out").toString();

        format.write(written, Map.of()).to(path);

        assertThat(format.reader(spark, Map.of("multiLine", "true"))
                        .schema(schema)
                        .load(path)
                        .collectAsList())
                .containsExactlyElementsOf(rows);
    }

    /** Returns a string or NULL. For TSV, the string contains nothing that TSV does not support. */
    private static String text(Random random, Format format, boolean nulls) {
        if (nulls && random.nextInt(6) == 0) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        if (format != Format.TSV) {
            return text.toString();
        }
        String plain = text.toString().replaceAll("[\t\r\n]", "");
        return plain.isEmpty() ? null : plain;
    }
}
