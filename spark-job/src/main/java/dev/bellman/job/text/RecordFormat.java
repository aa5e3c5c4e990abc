package dev.bellman.job.text;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The base class of formats that have one record per line or, with {@code multiLine}, records that may span several
 * lines. At a malformed record, the query either fails and reports the file and the line, or continues; the record is
 * then marked, becomes a row of NULLs, or is skipped. Every record is checked completely, no matter which columns a
 * query uses.
 *
 * <p>In addition to the options of {@link TextFormat} and the options of Spark's reader that concern values, there is
 * the option {@value #ON_MALFORMED}, or its Spark equivalent {@code mode}.
 */
public abstract class RecordFormat extends TextFormat {
    private static final long serialVersionUID = 1L;

    /**
     * The option that determines what happens to malformed records: {@code fail} or {@code mark}. Spark's option
     * {@code mode} takes precedence.
     */
    public static final String ON_MALFORMED = "onMalformed";

    /**
     * The prefix of the names of columns that Bellman adds to rows while a job runs. Inputs must not have such columns.
     */
    public static final String ADDED = "_bellman_";

    /** The column that describes the problem and the position of a malformed record; NULL if the record is valid. */
    public static final String MALFORMED = ADDED + "malformed";

    /** The column that contains the unchanged text of a malformed record. */
    public static final String RECORD = ADDED + "record";

    enum OnMalformed {
        /** The query fails. */
        FAIL,
        /**
         * The record becomes a row in which all columns are NULL, except for {@link #MALFORMED} and {@link #RECORD}.
         */
        MARK,
        /** The record becomes a row in which all columns are NULL. */
        NULL,
        /** The record is skipped. */
        DROP
    }

    /**
     * The sources of the values in a row's columns.
     *
     * @param positions for each column, the index of its value among the values of a record, or -1
     * @param malformed the index of the column for the problem, or -1
     * @param record the index of the column for the text of the record, or -1
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Columns(int[] positions, int malformed, int record) implements java.io.Serializable {
        int count() {
            return positions.length;
        }
    }

    /** Creates a parser within a task. */
    public interface Parsers extends java.io.Serializable {
        RecordParser open(TextInput input);
    }

    public RecordFormat(String name) {
        super(name);
    }

    /** Returns the schema of the records. */
    public abstract StructType schema(SparkSession spark, Map<String, String> options, List<FileStatus> files);

    /**
     * Returns a factory of parsers for the records.
     *
     * @param schema all columns that a record has
     * @param wanted the columns whose values a parser should return, in order
     */
    public abstract Parsers parsers(
            SparkSession spark, StructType schema, StructType wanted, Map<String, String> options);

    @Override
    public final Option<StructType> inferSchema(
            SparkSession spark, Map<String, String> options, Seq<FileStatus> files) {
        StructType schema = schema(spark, options, CollectionConverters.asJava(files));
        if (onMalformed(options) != OnMalformed.MARK) {
            return Option.apply(schema);
        }
        mustNotBeReserved(schema.fieldNames());
        return Option.apply(schema.add(MALFORMED, DataTypes.StringType).add(RECORD, DataTypes.StringType));
    }

    /** Fails if an input's column could be confused with those that Bellman adds. */
    public static void mustNotBeReserved(String... columns) {
        for (String name : columns) {
            if (name.toLowerCase(Locale.ROOT).startsWith(ADDED)) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_SCHEMA,
                        ("the input has a column '%s', but names that start with '%s' are reserved for columns "
                                        + "that Bellman adds; rename the column")
                                .formatted(name, ADDED));
            }
        }
    }

    @Override
    final RowSource.Factory rows(
            SparkSession spark, StructType dataSchema, StructType required, Map<String, String> options) {
        StructType schema = new StructType(Arrays.stream(dataSchema.fields())
                .filter(field -> !isMark(field))
                .toArray(StructField[]::new));
        // parse numeric columns even if the query does not request them, because only parsing shows whether a string is
        // a number
        StructType wanted = new StructType(Arrays.stream(schema.fields())
                .filter(field -> !(field.dataType() instanceof StringType)
                        || Arrays.asList(required.fieldNames()).contains(field.name()))
                .toArray(StructField[]::new));
        int[] positions = new int[required.length()];
        int malformed = -1;
        int record = -1;
        for (int i = 0; i < positions.length; i++) {
            String column = required.fields()[i].name();
            positions[i] = Arrays.asList(wanted.fieldNames()).indexOf(column);
            malformed = column.equals(MALFORMED) ? i : malformed;
            record = column.equals(RECORD) ? i : record;
        }
        Columns columns = new Columns(positions, malformed, record);
        OnMalformed onMalformed = onMalformed(options);
        Parsers parsers = parsers(spark, schema, wanted, options);
        return (input, end) -> new RecordRows(input, end, parsers.open(input), columns, onMalformed);
    }

    private static boolean isMark(StructField field) {
        return field.name().equals(MALFORMED) || field.name().equals(RECORD);
    }

    private OnMalformed onMalformed(Map<String, String> options) {
        String mode = option(options, "mode").orElse("").toUpperCase(Locale.ROOT);
        return switch (mode) {
            case "" ->
                option(options, ON_MALFORMED).orElse("fail").equals("mark") ? OnMalformed.MARK : OnMalformed.FAIL;
            case "FAILFAST" -> OnMalformed.FAIL;
            case "PERMISSIVE" -> OnMalformed.NULL;
            case "DROPMALFORMED" -> OnMalformed.DROP;
            default ->
                throw wrongOption(
                        "mode", mode, "FAILFAST, PERMISSIVE or DROPMALFORMED; with onBadRow, omit this option");
        };
    }

    /** Returns the rows of the files, in which every malformed record is marked. */
    public final Dataset<Row> marked(
            SparkSession spark, StructType schema, Map<String, String> options, List<FileStatus> files) {
        List<String> paths = new ArrayList<>();
        files.forEach(file -> paths.add(file.getPath().toString()));
        return spark.read()
                .format(getClass().getName())
                .options(options.removed("mode"))
                .option(ON_MALFORMED, "mark")
                .option("__globPaths__", "false")
                .schema(schema.add(MALFORMED, DataTypes.StringType).add(RECORD, DataTypes.StringType))
                .load(paths.toArray(String[]::new));
    }

    public final boolean flag(Map<String, String> options, String name) {
        String value = option(options, name).orElse("false");
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw wrongOption(name, value, "true or false");
        }
        return Boolean.parseBoolean(value);
    }

    /** Rejects options of Spark's reader that this reader does not support. */
    public final void refuse(Map<String, String> options, String... names) {
        for (String option : names) {
            Optional<String> value = option(options, option);
            if (value.isPresent()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_CONFIGURATION,
                        "format %s: the option %s is not supported; remove it".formatted(name(), option));
            }
        }
    }

    public final BellmanException wrongOption(String option, String value, String expected) {
        return new BellmanException(
                ErrorCode.BELLMAN_CONFIGURATION,
                "format %s: option %s is '%s'; it must be %s".formatted(name(), option, value, expected));
    }
}
