package dev.bellman.job.text;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import scala.Function1;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * The base class of file sources for text. Either a file is read to its last byte, or an error is reported.
 * {@link Codec} lists the supported compression formats. An uncompressed UTF-8 file can be read by several tasks if the
 * format allows this; each compressed file, and each file in another encoding, is read by a single task.
 *
 * <p>There are two options. {@code encoding} is the encoding of the file; the default is UTF-8.
 * {@value #MAXIMUM_RECORD_BYTES}, such as {@code 64m}, is the maximum length of a record; if a record is longer,
 * reading fails with {@link ErrorCode#BELLMAN_LIMIT}. By default, the maximum is an eighth of the heap, divided by the
 * number of tasks that can run at the same time.
 */
abstract class TextFormat implements FileFormat, DataSourceRegister, Serializable {
    private static final long serialVersionUID = 1L;

    static final String MAXIMUM_RECORD_BYTES = "maxRecordBytes";

    private static final String ENCODING = "encoding";

    private final String name;

    TextFormat(String name) {
        this.name = name;
    }

    final String name() {
        return name;
    }

    /** Returns the name by which Spark shows the source in a plan. Only FASTA and FASTQ can be loaded by name. */
    @Override
    public final String shortName() {
        return name;
    }

    @Override
    public final String toString() {
        return name;
    }

    @Override
    public final boolean equals(Object other) {
        return other != null && getClass() == other.getClass();
    }

    @Override
    public final int hashCode() {
        return getClass().hashCode();
    }

    /** Creates a factory for rows that have the columns {@code required}. */
    abstract RowSource.Factory rows(
            SparkSession spark, StructType schema, StructType required, Map<String, String> options);

    /**
     * Whether the start of a record can be recognized at the start of any line, so that reading may begin inside a
     * file.
     */
    public abstract boolean splits(Map<String, String> options);

    @Override
    public final boolean isSplitable(SparkSession spark, Map<String, String> options, Path path) {
        return splits(options)
                && Codec.of(path.getName()).isEmpty()
                && encoding(options).equals(StandardCharsets.UTF_8);
    }

    @Override
    public final Function1<PartitionedFile, Iterator<InternalRow>> buildReader(
            SparkSession spark,
            StructType dataSchema,
            StructType partitionSchema,
            StructType requiredSchema,
            Seq<Filter> filters,
            Map<String, String> options,
            Configuration configuration) {
        return new TextReader(
                rows(spark, dataSchema, requiredSchema, options),
                encoding(options),
                option(options, MAXIMUM_RECORD_BYTES)
                        .map(this::maximumRecordBytes)
                        .orElse(0),
                new JavaSparkContext(spark.sparkContext()).broadcast(new SerializableConfiguration(configuration)));
    }

    public static final Charset encoding(Map<String, String> options) {
        return option(options, ENCODING)
                .or(() -> option(options, "charset"))
                .map(TextReader::charset)
                .orElse(StandardCharsets.UTF_8);
    }

    /** Returns the maximum number of bytes that a record may have; 0 if no option sets it. */
    public final int maximumRecordBytes(Map<String, String> options) {
        return option(options, MAXIMUM_RECORD_BYTES)
                .map(this::maximumRecordBytes)
                .orElse(0);
    }

    private int maximumRecordBytes(String value) {
        long bytes;
        try {
            bytes = JavaUtils.byteStringAsBytes(value);
        } catch (IllegalArgumentException e) {
            bytes = 0;
        }
        if (bytes < 1 || bytes > TextReader.MAXIMUM_ROW_BYTES) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_CONFIGURATION,
                    "format %s: option %s is '%s'; it must be a number of bytes from 1 to %,d, such as 64m"
                            .formatted(name, MAXIMUM_RECORD_BYTES, value, TextReader.MAXIMUM_ROW_BYTES));
        }
        return (int) bytes;
    }

    @Override
    public final OutputWriterFactory prepareWrite(
            SparkSession spark, Job job, Map<String, String> options, StructType dataSchema) {
        throw new BellmanException(
                ErrorCode.BELLMAN_CONFIGURATION,
                "format " + name + " can be read but not written; write parquet, csv or json instead");
    }

    /** Returns the value of an option; Spark passes a map that ignores case. */
    public static Optional<String> option(Map<String, String> options, String name) {
        Option<String> value = options.get(name);
        return value.isDefined() ? Optional.of(value.get()) : Optional.empty();
    }
}
