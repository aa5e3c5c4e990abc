package dev.bellman.job.text;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * The base class of the file sources for FASTA and FASTQ. All columns are strings: {@code id} is the header up to its
 * first blank, {@code description} is the rest of the header (NULL if empty), and {@code sequence} is the sequence
 * without line breaks and blanks. FASTQ has the additional column {@code quality}. Readers skip the columns that a
 * query does not use.
 *
 * <p>In addition to the options of {@link TextFormat}, there is the option {@code case}: {@code keep}, the default,
 * leaves the letters of a sequence unchanged, and {@code upper} converts a to z to uppercase.
 *
 * <p>Malformed input is reported as {@link ErrorCode#BELLMAN_INPUT_FORMAT}, with the file and the line. The query then
 * fails, because it is unknown where a malformed record ends.
 */
abstract class SequenceFormat extends TextFormat {
    private static final long serialVersionUID = 1L;

    private static final String CASE = "case";

    private final StructType schema;

    SequenceFormat(String name, SequenceColumn... columns) {
        super(name);
        this.schema = new StructType(Arrays.stream(columns)
                .map(column -> DataTypes.createStructField(column.columnName(), DataTypes.StringType, true))
                .toArray(StructField[]::new));
    }

    /** Returns a parser for those records in {@code input} that start before byte {@code end}. */
    abstract SequenceParser parser(TextInput input, long end, SequenceLayout layout);

    @Override
    public final Option<StructType> inferSchema(
            SparkSession spark, Map<String, String> options, Seq<FileStatus> files) {
        return Option.apply(schema);
    }

    @Override
    final RowSource.Factory rows(
            SparkSession spark, StructType dataSchema, StructType required, Map<String, String> options) {
        SequenceLayout layout = new SequenceLayout(
                Arrays.stream(required.fields()).map(this::column).toArray(SequenceColumn[]::new), foldsCase(options));
        return (input, end) -> new SequenceRows(parser(input, end, layout), layout);
    }

    private SequenceColumn column(StructField field) {
        if (Arrays.stream(schema.fields())
                        .noneMatch(known -> known.name().equals(field.name().toLowerCase(Locale.ROOT)))
                || !field.dataType().equals(DataTypes.StringType)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_SCHEMA,
                    "format " + name() + " has no column " + field.name() + " of type "
                            + field.dataType().simpleString() + "; its columns are "
                            + Arrays.stream(schema.fieldNames()).collect(Collectors.joining(", "))
                            + ", all of type string");
        }
        return SequenceColumn.valueOf(field.name().toUpperCase(Locale.ROOT));
    }

    private boolean foldsCase(Map<String, String> options) {
        String value = option(options, CASE).orElse("keep");
        if (value.equalsIgnoreCase("keep")) {
            return false;
        }
        if (value.equalsIgnoreCase("upper")) {
            return true;
        }
        throw new BellmanException(
                ErrorCode.BELLMAN_CONFIGURATION,
                "format " + name() + ": option " + CASE + " is '" + value + "'; it must be keep or upper");
    }
}
