package dev.bellman.job.text.csv;

import dev.bellman.job.text.RecordFormat;
import dev.bellman.job.text.TextInput;
import dev.bellman.job.text.TextReader;
import dev.bellman.job.text.csv.CsvParser.CsvValue;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.csv.CSVInferSchema;
import org.apache.spark.sql.catalyst.csv.CSVOptions;
import org.apache.spark.sql.catalyst.csv.UnivocityParser;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Map;
import scala.jdk.javaapi.CollectionConverters;

/**
 * CSV according to RFC 4180, with most options of Spark's reader. Columns are strings unless {@code inferSchema} is
 * set. A quote is escaped by a second quote unless {@code escape} is set. Every file must have the same header as the
 * first file unless {@code enforceSchema} is set. With {@code multiLine}, a quoted field may contain line breaks, and
 * each file is read by a single task.
 */
public final class CsvFormat extends RecordFormat {
    private static final long serialVersionUID = 1L;

    public CsvFormat() {
        super("csv");
    }

    @Override
    public boolean splits(Map<String, String> options) {
        return !flag(options, "multiLine");
    }

    @Override
    public StructType schema(SparkSession spark, Map<String, String> options, List<FileStatus> files) {
        CsvDialect dialect = dialect(spark, options);
        List<String> names = names(spark.sparkContext().hadoopConfiguration(), options, files, dialect);
        StructType texts = new StructType(names.stream()
                .map(name -> DataTypes.createStructField(name, DataTypes.StringType, true))
                .toArray(StructField[]::new));
        if (!dialect.options().inferSchemaFlag()) {
            return texts;
        }
        var fields = marked(spark, texts, options, files)
                .where(functions.col(MALFORMED).isNull())
                .sample(dialect.options().samplingRatio())
                .javaRDD()
                .map(row -> IntStream.range(0, names.size())
                        .mapToObj(i -> row.<String>getAs(i))
                        .toArray(String[]::new));
        return new CSVInferSchema(dialect.options()).infer(fields.rdd(), names.toArray(String[]::new));
    }

    /** Returns the column names without using a Spark session. */
    public List<String> columns(Configuration hadoop, Map<String, String> options, List<FileStatus> files) {
        return names(hadoop, options, files, dialect(options, "UTC", false));
    }

    /** Returns the columns of the first file that contains a record. */
    private List<String> names(
            Configuration hadoop, Map<String, String> options, List<FileStatus> files, CsvDialect dialect) {
        Charset encoding = encoding(options);
        // sort the files, so that the order is the same in every run
        for (FileStatus file : files.stream().sorted().toList()) {
            try (TextInput input = TextReader.open(hadoop, file.getPath(), 0, encoding, maximumRecordBytes(options))) {
                List<String> first = CsvParser.first(input, dialect, flag(options, "multiLine"));
                if (!first.isEmpty()) {
                    return dialect.columns(first);
                }
            }
        }
        return List.of();
    }

    @Override
    public Parsers parsers(SparkSession spark, StructType schema, StructType wanted, Map<String, String> options) {
        CsvDialect dialect = dialect(spark, options);
        boolean header = dialect.options().headerFlag();
        boolean multiLine = flag(options, "multiLine");
        List<String> names = Arrays.asList(schema.fieldNames());
        return input -> new CsvParser(
                dialect, names, header && !input.startsInside(), values(schema, wanted, dialect.options()), multiLine);
    }

    private static List<CsvValue> values(StructType schema, StructType wanted, CSVOptions options) {
        List<String> names = Arrays.asList(schema.fieldNames());
        UnivocityParser converters = new UnivocityParser(wanted, options);
        List<CsvValue> values = new ArrayList<>();
        for (StructField field : wanted.fields()) {
            values.add(new CsvValue(
                    names.indexOf(field.name()),
                    field.name(),
                    field.dataType() instanceof StringType
                            ? null
                            : converters.makeConverter(field.name(), field.dataType(), true)));
        }
        return values;
    }

    private CsvDialect dialect(SparkSession spark, Map<String, String> options) {
        return dialect(
                options,
                spark.conf().get("spark.sql.session.timeZone"),
                Boolean.parseBoolean(spark.conf().get("spark.sql.caseSensitive")));
    }

    private CsvDialect dialect(Map<String, String> options, String timeZone, boolean caseSensitive) {
        refuse(options, "lineSep", "unescapedQuoteHandling", "charToEscapeQuoteEscaping", "columnNameOfCorruptRecord");
        java.util.Map<String, String> complete = new HashMap<>(CollectionConverters.asJava(options));
        // Spark's default escape character is a backslash
        complete.putIfAbsent(
                "escape",
                option(options, "quote").filter(quote -> !quote.isEmpty()).orElse("\""));
        CSVOptions csv =
                new CSVOptions(Map.from(CollectionConverters.asScala(complete)), false, timeZone, "_bellman_unused");
        mustBeAscii("quote", csv.quote());
        mustBeAscii("escape", csv.escape());
        mustBeAscii("comment", csv.comment());
        return new CsvDialect(csv, caseSensitive);
    }

    private void mustBeAscii(String option, char value) {
        if (value > 0x7f) {
            throw wrongOption(option, String.valueOf(value), "an ASCII character");
        }
    }
}
