package dev.bellman.job.format;

import java.io.IOException;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.AccumulatorV2;
import scala.Function1;

/**
 * The rows of a small output: its first rows, and a number for each value that a report shows. Tasks collect them while
 * they write, so that no query needs to read the output again. Spark counts the collected rows of each task exactly
 * once, even after failures and retries.
 */
public final class WrittenRows extends AccumulatorV2<WrittenRows.InFile, List<WrittenRows.InFile>> {
    private static final long serialVersionUID = 1L;

    /** The number of rows, from the beginning of each file, that are kept unchanged. */
    static final int FIRST = 5;

    /** The maximum number of rows in a small output. */
    public static final int MAX_ROWS = 20_000;

    private static final long MAX_BYTES = 4L << 20;

    private final List<String> columns;

    /** The list is safe for concurrent use, because a heartbeat may send it while a task adds to it. */
    private final CopyOnWriteArrayList<InFile> files = new CopyOnWriteArrayList<>();

    private long rows;
    private long bytes;
    private volatile boolean tooMany;

    /** @param columns the columns whose values a report shows */
    public WrittenRows(List<String> columns) {
        this.columns = List.copyOf(columns);
    }

    /**
     * The rows of one file.
     *
     * @param values for each row, a number for each column; NaN for NULL
     */
    record InFile(String name, List<InternalRow> first, List<double[]> values) implements Serializable {
        private long bytes() {
            return first.stream()
                    .mapToLong(row -> row instanceof UnsafeRow unsafe ? unsafe.getSizeInBytes() : 0)
                    .sum();
        }
    }

    /**
     * Reads a folder of Parquet files written by a run whose tasks did not collect rows.
     *
     * @param columns the columns whose values a report shows
     * @return empty if the folder is large, or if it contains anything other than such files
     */
    public static Optional<WrittenRows> read(String folder, List<String> columns, Configuration configuration)
            throws IOException {
        Optional<ParquetRows> files = ParquetRows.of(folder, configuration).filter(all -> all.bytes() <= MAX_BYTES);
        if (files.isEmpty() || files.get().uncompressedBytes() > MAX_BYTES) {
            return Optional.empty();
        }
        Map<String, RowsOfFile> byFile = new TreeMap<>();
        files.get()
                .eachInternal(file -> byFile.computeIfAbsent(
                        file.getPath().getName(),
                        name -> new RowsOfFile(files.get().schema(), columns))::add);
        WrittenRows rows = new WrittenRows(columns);
        byFile.forEach((name, all) -> all.inFile(name).ifPresentOrElse(rows::add, rows::tooMany));
        return Optional.of(rows);
    }

    List<String> columns() {
        return columns;
    }

    /** Whether these are all of the rows of an output that has this many rows. */
    public boolean areAll(long count) {
        return !tooMany && rows == count;
    }

    /** Returns at most {@code count} rows, taken from the beginnings of the files. */
    public List<Row> first(StructType schema, int count) {
        Function1<Object, Object> converter = CatalystTypeConverters.createToScalaConverter(schema);
        return inOrder()
                .flatMap(file -> file.first().stream())
                .limit(count)
                .map(row -> (Row) converter.apply(row))
                .toList();
    }

    /** Returns the numbers of a column; its index counts only the columns that are shown. */
    public List<Double> values(int column) {
        return inOrder()
                .flatMap(file -> file.values().stream())
                .map(values -> values[column])
                .toList();
    }

    private Stream<InFile> inOrder() {
        return files.stream().sorted(Comparator.comparing(InFile::name));
    }

    /** Discards all rows, because a file or the whole output is too large. */
    void tooMany() {
        tooMany = true;
        files.clear();
    }

    @Override
    public boolean isZero() {
        return files.isEmpty() && !tooMany;
    }

    @Override
    public WrittenRows copy() {
        WrittenRows copy = new WrittenRows(columns);
        copy.merge(this);
        return copy;
    }

    @Override
    public void reset() {
        files.clear();
        rows = 0;
        bytes = 0;
        tooMany = false;
    }

    @Override
    public void add(InFile file) {
        rows += file.values().size();
        bytes += file.bytes();
        if (tooMany || rows > MAX_ROWS || bytes > MAX_BYTES) {
            tooMany();
        } else {
            files.add(file);
        }
    }

    @Override
    public void merge(AccumulatorV2<InFile, List<InFile>> other) {
        if (((WrittenRows) other).tooMany) {
            tooMany();
        }
        other.value().forEach(this::add);
    }

    @Override
    public List<InFile> value() {
        return files;
    }
}
