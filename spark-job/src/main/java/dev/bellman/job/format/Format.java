package dev.bellman.job.format;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.text.Codec;
import dev.bellman.job.text.RecordFormat;
import dev.bellman.job.text.csv.CsvFormat;
import dev.bellman.job.text.csv.JsonFormat;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.v2.FileDataSourceV2;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * An input or output format: Spark's data source, the default options for it, and the file name extensions. Two formats
 * are equal if their names are.
 */
public final class Format {
    public static final Format PARQUET = new Format("parquet", "parquet", "parquet");
    public static final Format ORC = new Format("orc", "orc", "orc");
    /**
     * CSV; an empty field is NULL, and a quoted empty field is an empty string. To distinguish the two, the reader's
     * NULL marker is a string that does not occur in files.
     */
    public static final Format CSV = new Format(
            "csv",
            "csv",
            Kind.FILES,
            Map.of("header", "true", "nullValue", "\0", "enforceSchema", "false"),
            Map.of("header", "true"),
            "csv");
    /**
     * TSV without quotes; an empty field is always NULL. The writer's comment mark is a character that strings cannot
     * contain, because Spark would quote a string that begins with the mark.
     */
    public static final Format TSV = new Format(
            "tsv",
            "csv",
            Kind.FILES,
            Map.of("header", "true", "sep", "\t", "quote", "", "enforceSchema", "false"),
            Map.of("header", "true", "sep", "\t", "quote", "", "emptyValue", "", "comment", "\n", "extension", "tsv"),
            "tsv",
            "tab");

    public static final Format JSON = new Format("json", "json", "json", "jsonl", "ndjson");
    static final Format FASTA = new Format("fasta", "fasta", "fasta", "fa", "fna", "faa", "ffn", "frn");
    static final Format FASTQ = new Format("fastq", "fastq", "fastq", "fq");
    /** The format of the 9th DIMACS Implementation Challenge. */
    public static final Format GR = new Format("gr", "gr", "gr");
    /** The MatrixMarket formats: coordinate for graphs, and coordinate or array for matrices. */
    public static final Format MTX = new Format("mtx", "mtx", "mtx");

    private static final List<Format> OWN = List.of(PARQUET, ORC, CSV, TSV, JSON, FASTA, FASTQ, GR, MTX);

    private enum Kind {
        /** Files in one of Bellman's formats. */
        FILES,
        /** Files that only a data source outside Bellman can read. */
        OTHER_FILES,
        /** Sources that have no files to list or rename: tables with their own commits, and databases. */
        TABLE
    }

    private final String name;
    private final String source;
    private final Kind kind;
    private final Map<String, String> readOptions;
    private final Map<String, String> writeOptions;
    private final List<String> extensions;

    private Format(String name, String source, String... extensions) {
        this(name, source, Kind.FILES, Map.of(), Map.of(), extensions);
    }

    private Format(
            String name,
            String source,
            Kind kind,
            Map<String, String> readOptions,
            Map<String, String> writeOptions,
            String... extensions) {
        this.name = name;
        this.source = source;
        this.kind = kind;
        this.readOptions = readOptions;
        this.writeOptions = writeOptions;
        this.extensions = List.of(extensions);
    }

    /**
     * Returns the format with this name: one of Bellman's formats or, otherwise, a Spark data source on the class path
     * that has this short name or class name.
     */
    public static Optional<Format> named(String name) {
        Optional<Format> own = OWN.stream()
                .filter(format -> format.name.equalsIgnoreCase(name))
                .findFirst();
        if (own.isPresent()) {
            // a name that differs from Bellman's only in case must not select a reader of Spark's
            return own.filter(format -> format.name.equals(name));
        }
        try {
            Class<?> found = DataSource.lookupDataSource(name, SQLConf.get());
            boolean files = FileFormat.class.isAssignableFrom(found) || FileDataSourceV2.class.isAssignableFrom(found);
            String known = DataSourceRegister.class.isAssignableFrom(found)
                    ? ((DataSourceRegister) found.getConstructor().newInstance()).shortName()
                    : name;
            // the class may be that of one of Bellman's formats
            return OWN.stream()
                    .filter(format -> format.name.equals(known))
                    .findFirst()
                    .or(() -> Optional.of(
                            new Format(known, known, files ? Kind.OTHER_FILES : Kind.TABLE, Map.of(), Map.of())));
        } catch (Exception e) {
            // Scala code throws Spark's checked exceptions without declaring them
            return Optional.empty();
        }
    }

    /** Returns the name that job files use. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Format format && format.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** Whether this is one of Bellman's formats, as opposed to a Spark data source. */
    public boolean isOwn() {
        return OWN.contains(this);
    }

    /** Whether the rows are in a table or a database, as opposed to files. */
    public boolean isTable() {
        return kind == Kind.TABLE;
    }

    /**
     * Returns a reader for this format; options of the job override those of the format. For files, session settings
     * cannot make the reader ignore damaged data or skip the verification of Parquet checksums.
     */
    public DataFrameReader reader(SparkSession spark, Map<String, String> options) {
        DataFrameReader reader = spark.read().format(readSource());
        if (isTable()) {
            return reader.options(options);
        }
        return reader.option("ignoreCorruptFiles", false)
                .option("ignoreMissingFiles", false)
                .option("parquet.page.verify-checksum.enabled", true)
                .options(readOptions)
                .options(options);
    }

    /** Returns the names of the columns in the files, if they can be determined without a session. */
    public Optional<List<String>> columns(
            Map<String, String> options, List<FileStatus> files, Configuration configuration) throws IOException {
        Optional<FileStatus> first =
                files.stream().filter(file -> file.getLen() > 0).findFirst();
        if (isText()) {
            Map<String, String> all = new HashMap<>(readOptions);
            all.putAll(options);
            return Optional.of(new CsvFormat()
                    .columns(
                            configuration,
                            scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(all)),
                            files));
        }
        if (this == PARQUET && first.isPresent()) {
            try (ParquetFileReader reader =
                    ParquetFileReader.open(HadoopInputFile.fromStatus(first.get(), configuration))) {
                return Optional.of(reader.getFileMetaData().getSchema().getFields().stream()
                        .map(Type::getName)
                        .toList());
            }
        }
        if (this == ORC && first.isPresent()) {
            try (Reader reader = OrcFile.createReader(first.get().getPath(), OrcFile.readerOptions(configuration))) {
                return Optional.of(reader.getSchema().getFieldNames());
            }
        }
        return Optional.empty();
    }

    private String readSource() {
        if (isText()) {
            return CsvFormat.class.getName();
        }
        if (isInstance()) {
            throw new IllegalStateException(this + " is not a source of rows");
        }
        return this == JSON ? JsonFormat.class.getName() : source;
    }

    /** Returns a write in this format; options of the job override those of the format. */
    public DatasetWrite write(Dataset<Row> rows, Map<String, String> options) {
        Map<String, String> all = new HashMap<>();
        if (isText()) {
            // by default, Spark trims strings when it writes them
            all.put("ignoreLeadingWhiteSpace", "false");
            all.put("ignoreTrailingWhiteSpace", "false");
        }
        if (this == CSV) {
            // by default, Spark escapes quotes with a backslash, but RFC 4180 doubles them
            all.put("escape", options.getOrDefault("quote", "\""));
        }
        all.putAll(writeOptions);
        all.putAll(options);
        return new DatasetWrite(rows, source, all);
    }

    /**
     * Fails if Spark rejects an option for writing files, such as an unknown compression.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE}
     */
    public void checkWriteOptions(SparkSession spark, Map<String, String> options, String folder) {
        try {
            write(spark.emptyDataset(Encoders.STRING()).toDF(), options).check(folder);
        } catch (Exception e) {
            // Scala code throws Spark's checked exceptions without declaring them
            throw new BellmanException(
                    ErrorCode.BELLMAN_JOB_FILE,
                    "cannot write %s files with these output.options: %s".formatted(name, Failures.line(e)),
                    e);
        }
    }

    /** Whether all values are strings until the reader infers their types. */
    public boolean isText() {
        return this == CSV || this == TSV;
    }

    /**
     * Prepares rows to be written to files of this format. The write fails if a string would break a TSV line, or if a
     * row would become an empty line.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if a column has a type that the format does not
     *     support
     */
    public Dataset<Row> fitted(Dataset<Row> rows) {
        return isText() ? new TextColumns(this, rows).fitted() : rows;
    }

    /**
     * Whether a reader can read the existing files and the new rows as one table.
     *
     * @param options the writer's options
     */
    public boolean haveSameColumns(StructType written, StructType rows, Map<String, String> options) {
        if (this == JSON) {
            // a JSON object omits fields that are NULL
            return names(rows).containsAll(names(written));
        }
        if (isText()) {
            boolean named = Boolean.parseBoolean(options.getOrDefault("header", "true"));
            // a file without rows may be empty
            return named ? names(written).equals(names(rows)) : written.isEmpty() || written.size() == rows.size();
        }
        return types(written).equals(types(rows));
    }

    private static List<String> names(StructType schema) {
        return Arrays.stream(schema.fieldNames())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Returns the types, keyed by column name, because columnar files do not depend on the column order. */
    private static Map<String, DataType> types(StructType schema) {
        Map<String, DataType> types = new HashMap<>();
        for (StructField field : schema.fields()) {
            types.put(field.name().toLowerCase(Locale.ROOT), field.dataType().asNullable());
        }
        return types;
    }

    /** Whether Bellman's own readers read the files of this format, as opposed to Spark's. */
    public boolean readsText() {
        return sequences() || marksMalformed() || isInstance();
    }

    /** Whether each record is valid or malformed independently of all other records (see {@link RecordFormat}). */
    public boolean marksMalformed() {
        return this == CSV || this == TSV || this == JSON;
    }

    /** Whether files store the number of their rows at the end. */
    public boolean isColumnar() {
        return this == PARQUET || this == ORC;
    }

    /** Whether any query on the files reads them whole. */
    public boolean isReadWhole() {
        return kind == Kind.FILES && !isColumnar();
    }

    /** Whether each record is a sequence. */
    public boolean sequences() {
        return this == FASTA || this == FASTQ;
    }

    /** Whether each file is one instance: a graph or a matrix. */
    public boolean isInstance() {
        return this == GR || this == MTX;
    }

    /** Whether a job can write this format; true for data sources outside Bellman, which may still refuse to write. */
    public boolean isWritable() {
        return !sequences() && !isInstance();
    }

    /** Returns Bellman's own formats. */
    public static List<Format> readable() {
        return OWN;
    }

    /** Returns those of Bellman's formats that a job can write. */
    public static List<Format> writable() {
        return OWN.stream().filter(Format::isWritable).toList();
    }

    /**
     * Returns the format for a file name's extension, ignoring compression extensions; returns Parquet for names that
     * have no extension, such as folders, and empty for an unknown extension.
     */
    public static Optional<Format> of(String path) {
        String name = Codec.plainName(new File(path).getName().toLowerCase(Locale.ROOT));
        int dot = name.lastIndexOf('.');
        if (dot <= 0) {
            return Optional.of(PARQUET);
        }
        String extension = name.substring(dot + 1);
        return OWN.stream()
                .filter(format -> format.extensions.contains(extension))
                .findFirst();
    }
}
