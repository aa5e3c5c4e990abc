package dev.bellman.job;

import dev.bellman.job.format.Format;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** Compares a job's Parquet output with a file of expected results. {@code .ci/run} calls it. */
final class ExpectedAnswers {
    private ExpectedAnswers() {}

    /**
     * The arguments are the Parquet folder, the file of expected results, the column that both have in addition to
     * {@code id}, and the number of rows.
     */
    public static void main(String[] arguments) {
        SparkSession spark = LocalSpark.session();
        Dataset<Row> results = spark.read().parquet(arguments[0]).select("id", arguments[2]);
        Dataset<Row> expected =
                Format.TSV.reader(spark, Map.of()).load(arguments[1]).withColumnRenamed(arguments[2], "expected");
        long same = results.join(expected, "id")
                .where(functions.col(arguments[2]).cast("string").equalTo(functions.col("expected")))
                .count();
        long rows = results.count();
        spark.stop();
        System.out.printf("%s: %d rows, %d as expected of %s%n", arguments[0], rows, same, arguments[3]);
        if (rows != same || rows != Long.parseLong(arguments[3])) {
            System.exit(1);
        }
    }
}
