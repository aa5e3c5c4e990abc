package dev.bellman.job.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.DataSourceUtils;
import org.apache.spark.sql.execution.datasources.parquet.ParquetReadSupport;
import org.apache.spark.sql.internal.LegacyBehaviorPolicy;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Reads a folder of Parquet files that Spark has written. It does not need a Spark session, which would take seconds to
 * start. Returns the same values as Spark would.
 */
public final class ParquetRows {
    private static final String SCHEMA = "org.apache.spark.sql.parquet.row.metadata";
    private static final String REQUESTED = "org.apache.spark.sql.parquet.row.requested_schema";

    private final List<FileStatus> files;
    private final StructType schema;
    private final Configuration configuration;

    private ParquetRows(List<FileStatus> files, StructType schema, Configuration configuration) {
        this.files = files;
        this.schema = schema;
        this.configuration = configuration;
    }

    /**
     * Returns the rows at a path, ignoring hidden files; empty if the path contains nothing else, or anything other
     * than Parquet files that Spark wrote, such as partition folders.
     */
    public static Optional<ParquetRows> of(String path, Configuration given) throws IOException {
        Optional<List<FileStatus>> files = files(path, given);
        return files.isEmpty() ? Optional.empty() : of(files.get(), given);
    }

    /** Returns the rows of the given files if Spark wrote the first one; otherwise, returns empty. */
    public static Optional<ParquetRows> of(List<FileStatus> files, Configuration given) throws IOException {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(files.get(0), given))) {
            String schema = reader.getFileMetaData().getKeyValueMetaData().get(SCHEMA);
            return schema == null
                    ? Optional.empty()
                    : Optional.of(new ParquetRows(files, (StructType) DataType.fromJson(schema), settings(given)));
        }
    }

    /**
     * Returns the Parquet files at a path, ignoring hidden files; empty if the path contains nothing else, or anything
     * other than Parquet files.
     */
    static Optional<List<FileStatus>> files(String path, Configuration given) throws IOException {
        Path folder = new Path(path);
        FileSystem fileSystem = folder.getFileSystem(given);
        List<FileStatus> files = new ArrayList<>();
        for (FileStatus file : fileSystem.listStatus(folder)) {
            String name = file.getPath().getName();
            if (name.startsWith("_") && !name.equals("_delta_log") || name.startsWith(".")) {
                continue;
            }
            if (!file.isFile() || !name.endsWith(".parquet")) {
                return Optional.empty();
            }
            files.add(file);
        }
        files.sort(null);
        return files.isEmpty() ? Optional.empty() : Optional.of(files);
    }

    /** Adds the default values of all settings that Spark's reader requires. */
    private static Configuration settings(Configuration given) {
        Configuration all = new Configuration(given);
        CollectionConverters.asJava(SQLConf.get().getAllDefinedConfs()).stream()
                .filter(key -> key._1().contains("parquet"))
                .filter(key -> key._2().equals("true") || key._2().equals("false"))
                .forEach(key -> all.set(key._1(), key._2()));
        // internal settings are not in Spark's public list
        for (String key : List.of(
                SQLConf.CASE_SENSITIVE().key(),
                SQLConf.LEGACY_PARQUET_NANOS_AS_LONG().key())) {
            all.set(key, SQLConf.get().getConfString(key));
        }
        return all;
    }

    public StructType schema() {
        return schema;
    }

    /** Returns the total size of all files in bytes. */
    public long bytes() {
        return files.stream().mapToLong(FileStatus::getLen).sum();
    }

    /** Returns the total size of all values, in bytes, before compression. */
    long uncompressedBytes() throws IOException {
        long bytes = 0;
        for (FileStatus file : files) {
            try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(file, configuration))) {
                bytes += reader.getFooter().getBlocks().stream()
                        .mapToLong(BlockMetaData::getTotalByteSize)
                        .sum();
            }
        }
        return bytes;
    }

    /** Returns the first rows; files are read in the order of their names. */
    public List<Row> first(int count) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (FileStatus file : files) {
            if (rows.size() < count) {
                read(file, schema, FilterCompat.NOOP, count - rows.size(), rows::add);
            }
        }
        return rows;
    }

    /**
     * Passes those rows that meet a condition to a consumer. The rows contain only the given columns, in the order of
     * the schema.
     */
    public void each(List<String> columns, FilterCompat.Filter filter, Consumer<Row> rows) throws IOException {
        StructType wanted = new StructType(Arrays.stream(schema.fields())
                .filter(field -> columns.contains(field.name()))
                .toArray(org.apache.spark.sql.types.StructField[]::new));
        for (FileStatus file : files) {
            read(file, wanted, filter, Integer.MAX_VALUE, rows);
        }
    }

    /**
     * Passes the rows of each file to a consumer, in Spark's internal form. A row is valid only until the consumer
     * returns.
     */
    void eachInternal(Function<FileStatus, Consumer<InternalRow>> consumers) throws IOException {
        for (FileStatus file : files) {
            readInternal(file, schema, FilterCompat.NOOP, Integer.MAX_VALUE, consumers.apply(file));
        }
    }

    private void read(FileStatus file, StructType columns, FilterCompat.Filter filter, int count, Consumer<Row> rows)
            throws IOException {
        Function1<Object, Object> converter = CatalystTypeConverters.createToScalaConverter(columns);
        readInternal(file, columns, filter, count, row -> rows.accept((Row) converter.apply(row)));
    }

    /**
     * Returns Spark's reader for a file; it converts old dates only if an old version of Spark has written the file.
     */
    private ParquetReadSupport support(FileStatus file) throws IOException {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(file, configuration))) {
            Map<String, String> metadata = reader.getFileMetaData().getKeyValueMetaData();
            String otherwise = LegacyBehaviorPolicy.CORRECTED().toString();
            return new ParquetReadSupport(
                    Option.empty(),
                    false,
                    DataSourceUtils.datetimeRebaseSpec(metadata::get, otherwise),
                    DataSourceUtils.int96RebaseSpec(metadata::get, otherwise));
        }
    }

    private void readInternal(
            FileStatus file, StructType columns, FilterCompat.Filter filter, int count, Consumer<InternalRow> rows)
            throws IOException {
        Configuration read = new Configuration(configuration);
        read.set(REQUESTED, columns.json());
        try (ParquetReader<InternalRow> reader = ParquetReader.builder(support(file), file.getPath())
                .withConf(read)
                .withFilter(filter)
                .build()) {
            for (int i = 0; i < count; i++) {
                InternalRow row = reader.read();
                if (row == null) {
                    return;
                }
                rows.accept(row);
            }
        }
    }
}
