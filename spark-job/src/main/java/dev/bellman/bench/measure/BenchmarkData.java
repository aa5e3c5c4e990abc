package dev.bellman.bench.measure;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.job.output.OutputRules;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Generated instances, written as Parquet.
 *
 * @param label the name of the data, such as {@code dna-150}
 * @param folder the folder of the Parquet files
 * @param columns the names of the columns that contain the arguments, in the order of the parameters
 * @param cellsOfRow an SQL expression for the number of cells in an instance's table
 * @param rows the number of instances
 */
public record BenchmarkData(String label, String folder, List<String> columns, String cellsOfRow, long rows) {
    /**
     * An SQL expression for the number of cells of a chain of {@code n} matrices, which is the number of candidates
     * that the textbook table compares: {@code (n^3 - n) / 6}.
     */
    public static final String CHAIN_CELLS = "(power(size(dims) - 1, 3) - (size(dims) - 1)) / 6";

    /**
     * Writes the columns of {@code instances} that are parameters of {@code function}, cast to the parameters' types.
     * If several signatures match, uses the longest.
     */
    public static BenchmarkData write(
            String label, String folder, Dataset<Row> instances, BellmanFunction<?> function, String cellsOfRow) {
        List<String> present = List.of(instances.columns());
        List<Parameter> parameters = function.signatures().stream()
                .map(Signature::parameters)
                .filter(all ->
                        present.containsAll(all.stream().map(Parameter::name).toList()))
                .max(Comparator.comparingInt(List::size))
                .orElseThrow();
        Column[] typed = parameters.stream()
                .map(parameter ->
                        instances.col(parameter.name()).cast(parameter.type()).as(parameter.name()))
                .toArray(Column[]::new);
        OutputRules.mustBeReplaceable(
                folder, instances.sparkSession().sparkContext().hadoopConfiguration());
        instances.select(typed).write().mode("overwrite").parquet(folder);
        List<String> columns = parameters.stream().map(Parameter::name).toList();
        long rows = instances.sparkSession().read().parquet(folder).count();
        return new BenchmarkData(label, folder, columns, cellsOfRow, rows);
    }

    public Dataset<Row> read(SparkSession spark) {
        return spark.read().parquet(folder);
    }

    /** Returns the total number of cells in the first {@code firstRows} rows. */
    public long cells(SparkSession spark, long firstRows) {
        Dataset<Row> all = read(spark);
        return (firstRows < rows ? all.limit(Math.toIntExact(firstRows)) : all)
                .selectExpr("CAST(SUM(" + cellsOfRow + ") AS BIGINT)")
                .first()
                .getLong(0);
    }
}
