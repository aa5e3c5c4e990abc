package dev.bellman.job;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.CommandExecutionMode;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.datasources.DataSource;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Writes rows as {@code DataFrameWriter} does, and tells with which plan: the writer keeps that to itself, and tells listeners
 * only later, on a bus that may be behind or drop it.
 */
final class DatasetWrite {
    private final Dataset<Row> rows;
    private final String source;
    private final Map<String, String> options;

    DatasetWrite(Dataset<Row> rows, String source, Map<String, String> options) {
        this.rows = rows;
        this.source = source;
        this.options = new HashMap<>(options);
    }

    /** The most rows that a file gets. */
    DatasetWrite maxRecordsPerFile(Optional<Integer> count) {
        count.ifPresent(most -> options.put("maxRecordsPerFile", most.toString()));
        return this;
    }

    /** Writes the rows as more files of a folder. */
    FinalPlan to(String folder) {
        SparkSession spark = (SparkSession) rows.sparkSession();
        DataSource target = new DataSource(
                spark,
                source,
                CollectionConverters.asScala(java.util.List.of(folder)).toSeq(),
                Option.empty(),
                CollectionConverters.asScala(java.util.List.<String>of()).toSeq(),
                Option.empty(),
                scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(options)),
                Option.empty());
        LogicalPlan command = target.planForWriting(
                SaveMode.Append, ((org.apache.spark.sql.classic.Dataset<Row>) rows).logicalPlan());
        QueryExecution execution = spark.sessionState().executePlan(command, CommandExecutionMode.ALL());
        execution.assertCommandExecuted();
        return new FinalPlan(execution.executedPlan());
    }
}
