package dev.bellman.job.format;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Suggestion;
import dev.bellman.job.plan.FinalPlan;
import dev.bellman.plan.catalyst.Scala;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.Job;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetOutputFormat;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.CommandExecutionMode;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Writes rows as {@code DataFrameWriter} does, but also returns the executed plan. {@code DataFrameWriter} does not
 * expose the plan; listeners may receive it late or never, because the listener bus can lag or drop events.
 */
public final class DatasetWrite {
    private final Dataset<Row> rows;
    private final String source;
    private final Map<String, String> options;
    private List<String> partitioning = List.of();
    private Optional<WrittenRows> collected = Optional.empty();

    DatasetWrite(Dataset<Row> rows, String source, Map<String, String> options) {
        this.rows = rows;
        this.source = source;
        this.options = new HashMap<>(options);
    }

    /** Sets the maximum number of rows per file. */
    public DatasetWrite maxRecordsPerFile(Optional<Integer> count) {
        count.ifPresent(most -> options.put("maxRecordsPerFile", most.toString()));
        return this;
    }

    /**
     * Sets the columns whose values determine the output's folders. Fails for an unknown column, or if no other column
     * remains.
     */
    public DatasetWrite partitionedBy(List<String> columns) {
        partitioning = columns.stream()
                .map(name -> InputColumns.find(rows, name)
                        .orElseThrow(() -> new BellmanException(
                                ErrorCode.BELLMAN_JOB_FILE,
                                "output.partitionBy is '%s', which is not a column of the output; the columns are %s%s"
                                        .formatted(
                                                name,
                                                String.join(", ", rows.columns()),
                                                Suggestion.hint(name, List.of(rows.columns()))))))
                .toList();
        if (!partitioning.isEmpty() && partitioning.size() == rows.columns().length) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "output.partitionBy lists every column of the output; omit at least one, so that the files "
                            + "contain a column");
        }
        return this;
    }

    /** Collects the rows of Parquet files while the files are written. */
    public DatasetWrite collecting(Optional<WrittenRows> written) {
        collected = written;
        return this;
    }

    /** Fails if the format rejects the options, or if the classes of a Parquet codec are missing; writes nothing. */
    void check(String folder) throws IOException {
        if (command(folder) instanceof InsertIntoHadoopFsRelationCommand files) {
            Job job = Job.getInstance(rows.sparkSession().sparkContext().hadoopConfiguration());
            files.fileFormat().prepareWrite((SparkSession) rows.sparkSession(), job, files.options(), rows.schema());
            if (files.fileFormat() instanceof ParquetFileFormat) {
                CodecFactory codecs = new CodecFactory(job.getConfiguration(), ParquetProperties.DEFAULT_PAGE_SIZE);
                try {
                    codecs.getCompressor(ParquetOutputFormat.getCompression(job));
                } finally {
                    codecs.release();
                }
            }
        }
    }

    /** Writes the rows to a folder as additional files. */
    public FinalPlan to(String folder) {
        LogicalPlan command = command(folder);
        QueryExecution execution = ((SparkSession) rows.sparkSession())
                .sessionState()
                .executePlan(
                        collected.map(into -> collecting(command, into)).orElse(command), CommandExecutionMode.ALL());
        execution.assertCommandExecuted();
        return new FinalPlan(execution.executedPlan());
    }

    private LogicalPlan command(String folder) {
        DataSource target = Scala.make(
                DataSource.class,
                rows.sparkSession(),
                source,
                CollectionConverters.asScala(List.of(folder)).toSeq(),
                Option.empty(),
                CollectionConverters.asScala(partitioning).toSeq(),
                Option.empty(),
                scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(options)),
                Option.empty());
        return target.planForWriting(SaveMode.Append, ((org.apache.spark.sql.classic.Dataset<Row>) rows).logicalPlan());
    }

    /**
     * Returns the same command, but with a format that collects rows. The format is passed as one of the command's
     * parameters.
     */
    private static LogicalPlan collecting(LogicalPlan command, WrittenRows into) {
        Object[] parameters = IntStream.range(0, command.productArity())
                .mapToObj(command::productElement)
                .map(each -> each instanceof ParquetFileFormat ? new CollectingParquet(into) : each)
                .toArray();
        return command.makeCopy(parameters);
    }
}
