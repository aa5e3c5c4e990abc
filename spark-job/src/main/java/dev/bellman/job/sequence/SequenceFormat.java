package dev.bellman.job.sequence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import scala.Function1;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * What FASTA and FASTQ have in common as file sources. Columns are strings: {@code id}, the header up to its first blank;
 * {@code description}, the rest of the header, NULL where there is none; {@code sequence}, with line breaks and blanks left
 * out; FASTQ adds {@code quality}. Columns that a query does not use are not built.
 *
 * <p>Option {@code case}: {@code keep} (the default) leaves the letters of a sequence as they are, {@code upper} folds a to z
 * to upper case.
 *
 * <p>Malformed input is {@link ErrorCode#BELLMAN_INPUT_FORMAT} and names the file and the line, or the byte offset where a
 * task starts inside a file. A record of more than 2 GiB is {@link ErrorCode#BELLMAN_LIMIT}.
 */
abstract class SequenceFormat implements FileFormat, DataSourceRegister, Serializable {
    private static final long serialVersionUID = 1L;

    private static final String CASE = "case";

    private final String name;
    private final StructType schema;

    SequenceFormat(String name, SequenceColumn... columns) {
        this.name = name;
        this.schema = new StructType(Arrays.stream(columns)
                .map(column -> DataTypes.createStructField(column.columnName(), DataTypes.StringType, true))
                .toArray(StructField[]::new));
    }

    /** The records of {@code input} that start before the byte {@code end}. */
    abstract RecordParser parser(SequenceInput input, long end, RecordLayout layout);

    @Override
    public String shortName() {
        return name;
    }

    /** The name by which Spark shows the source in a plan. */
    @Override
    public String toString() {
        return name;
    }

    @Override
    public boolean equals(Object other) {
        return other != null && getClass() == other.getClass();
    }

    @Override
    public int hashCode() {
        return getClass().hashCode();
    }

    @Override
    public Option<StructType> inferSchema(SparkSession spark, Map<String, String> options, Seq<FileStatus> files) {
        return Option.apply(schema);
    }

    @Override
    public Function1<PartitionedFile, Iterator<InternalRow>> buildReader(
            SparkSession spark,
            StructType dataSchema,
            StructType partitionSchema,
            StructType requiredSchema,
            Seq<Filter> filters,
            Map<String, String> options,
            Configuration configuration) {
        RecordLayout layout = new RecordLayout(
                Arrays.stream(requiredSchema.fields()).map(this::column).toArray(SequenceColumn[]::new),
                foldsCase(options));
        return new SequenceReader(
                this, layout, SerializableConfiguration.broadcast(spark.sparkContext(), configuration));
    }

    @Override
    public OutputWriterFactory prepareWrite(
            SparkSession spark, Job job, Map<String, String> options, StructType dataSchema) {
        throw new BellmanException(
                ErrorCode.BELLMAN_CONFIGURATION,
                "format " + name + " can be read and not written; write parquet, csv or json instead");
    }

    @Override
    public abstract boolean isSplitable(SparkSession spark, Map<String, String> options, Path path);

    private SequenceColumn column(StructField field) {
        if (Arrays.stream(schema.fields())
                        .noneMatch(known -> known.name().equals(field.name().toLowerCase(Locale.ROOT)))
                || !field.dataType().equals(DataTypes.StringType)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_SCHEMA,
                    "format " + name + " has no column " + field.name() + " of type "
                            + field.dataType().simpleString() + "; its columns are "
                            + Arrays.stream(schema.fieldNames()).collect(Collectors.joining(", "))
                            + ", all of type string");
        }
        return SequenceColumn.valueOf(field.name().toUpperCase(Locale.ROOT));
    }

    private boolean foldsCase(Map<String, String> options) {
        Option<String> value = options.get(CASE);
        if (value.isEmpty() || value.get().equalsIgnoreCase("keep")) {
            return false;
        }
        if (value.get().equalsIgnoreCase("upper")) {
            return true;
        }
        throw new BellmanException(
                ErrorCode.BELLMAN_CONFIGURATION,
                "format " + name + ": option " + CASE + " is '" + value.get() + "'; it must be keep or upper");
    }
}
