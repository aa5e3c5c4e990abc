package dev.bellman.job.run;

import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.size;

import dev.bellman.job.format.InputColumns;
import dev.bellman.job.format.WrittenRows;
import dev.bellman.job.report.Histogram;
import dev.bellman.job.spec.Job;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Summarizes a run's results and bad rows for its report. Reads only a few files and rows, because the
 * summary must take almost no time and must not make a run fail.
 */
final class Distributions {
    private static final int ROWS = 20_000;
    private static final int REASONS = 1_000;
    private static final long BYTES = 32L << 20;

    private final Job job;

    Distributions(Job job) {
        this.job = job;
    }

    /** Creates an object that collects the data for {@link #results} while a run writes an output. */
    static WrittenRows collected(Job job, StructType schema, SparkContext spark) {
        WrittenRows rows = new WrittenRows(measured(job, schema));
        spark.register(rows);
        return rows;
    }

    /** Reads the data for {@link #results} back from the files of a small output. */
    static Optional<WrittenRows> read(Job job, StructType schema, String folder, Configuration configuration) {
        try {
            return WrittenRows.read(folder, measured(job, schema), configuration);
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static List<String> measured(Job job, StructType schema) {
        return job.resultColumns().stream()
                .filter(column -> measure(schema.apply(column)).isPresent())
                .toList();
    }

    /** Returns the distributions of the results, computed from all rows of an output. */
    Map<String, Object> results(StructType schema, WrittenRows rows) {
        List<String> columns = measured(job, schema);
        List<Map<String, Object>> results = IntStream.range(0, columns.size())
                .mapToObj(
                        i -> Histogram.of(measure(schema.apply(columns.get(i))).orElseThrow().name, rows.values(i))
                                .describe())
                .toList();
        return results.isEmpty() ? Map.of() : results(results, false);
    }

    private static Map<String, Object> results(List<Map<String, Object>> histograms, boolean sampled) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("resultsSampled", sampled);
        results.put("results", histograms);
        return results;
    }

    /**
     * Returns the distributions of the results, computed from a sample of an output's rows.
     *
     * @param reader opens the files of an output
     * @param rowsOut the number of output rows
     */
    Map<String, Object> results(
            String folder,
            StructType schema,
            long rowsOut,
            Configuration configuration,
            Function<List<String>, Dataset<Row>> reader) {
        try {
            List<FileStatus> files = new ArrayList<>();
            Path path = new Path(folder);
            collect(path.getFileSystem(configuration), path, files);
            List<FileStatus> chosen = spread(files);
            long bytes = files.stream().mapToLong(FileStatus::getLen).sum();
            long read = chosen.stream().mapToLong(FileStatus::getLen).sum();
            if (chosen.isEmpty()) {
                return Map.of();
            }
            List<String> names = new ArrayList<>();
            List<Column> columns = new ArrayList<>();
            for (String column : job.resultColumns()) {
                measure(schema.apply(column)).ifPresent(measure -> {
                    names.add(measure.name);
                    columns.add(measure.value);
                });
            }
            if (columns.isEmpty()) {
                return Map.of();
            }
            double expected = Math.max(1, rowsOut * (double) read / Math.max(1, bytes));
            Dataset<Row> rows = reader.apply(
                    chosen.stream().map(file -> file.getPath().toString()).toList());
            Dataset<Row> sample = expected > ROWS ? rows.sample(ROWS / expected, 1) : rows;
            List<Row> values = sample.select(columns.toArray(Column[]::new)).takeAsList(2 * ROWS);
            return results(describe(names, values), values.size() < rowsOut);
        } catch (Exception e) {
            return Map.of();
        }
    }

    /** The number that represents a value, and its name in the report. */
    record Measure(String name, Column value) {}

    static Optional<Measure> measure(StructField field) {
        Column column = InputColumns.column(field.name());
        if (field.dataType() instanceof NumericType) {
            return Optional.of(new Measure(field.name(), column.cast(DataTypes.DoubleType)));
        }
        if (field.dataType().equals(DataTypes.StringType)) {
            return Optional.of(
                    new Measure("length of " + field.name(), length(column).cast(DataTypes.DoubleType)));
        }
        if (field.dataType() instanceof ArrayType) {
            return Optional.of(
                    new Measure("elements of " + field.name(), size(column).cast(DataTypes.DoubleType)));
        }
        return Optional.empty();
    }

    private static List<Map<String, Object>> describe(List<String> names, List<Row> values) {
        return IntStream.range(0, names.size())
                .mapToObj(i -> Histogram.of(
                                names.get(i),
                                values.stream()
                                        .map(row -> row.isNullAt(i)
                                                ? Double.valueOf(Double.NaN)
                                                : Double.valueOf(row.getDouble(i)))
                                        .toList())
                        .describe())
                .toList();
    }

    private static void collect(FileSystem files, Path folder, List<FileStatus> into) throws IOException {
        FileStatus[] children = files.listStatus(folder);
        Arrays.sort(children);
        for (FileStatus child : children) {
            String name = child.getPath().getName();
            if (child.isDirectory() && name.contains("=")) {
                collect(files, child.getPath(), into);
            } else if (name.startsWith("part-")) {
                into.add(child);
            }
        }
    }

    /** Returns files that are spread evenly over the list, with at most {@value #BYTES} bytes in total. */
    private static List<FileStatus> spread(List<FileStatus> files) {
        List<FileStatus> chosen = new ArrayList<>();
        long bytes = 0;
        int step = Math.max(1, Integer.highestOneBit(files.size()));
        boolean[] taken = new boolean[files.size()];
        for (; step >= 1; step /= 2) {
            for (int i = 0; i < files.size(); i += step) {
                if (!taken[i] && bytes + files.get(i).getLen() <= BYTES) {
                    taken[i] = true;
                    bytes += files.get(i).getLen();
                    chosen.add(files.get(i));
                }
            }
        }
        return chosen;
    }

    /**
     * Groups the first bad rows by their reasons, and adds an example row to each reason. Reasons that differ only in
     * their numbers, or in the text after one of Spark's error conditions, are considered the same.
     */
    static Map<String, Object> reasons(Dataset<Row> bad) {
        try {
            List<String> names = Arrays.stream(bad.columns())
                    .takeWhile(name -> !List.of("arguments", "record").contains(name))
                    .toList();
            List<Column> columns = Stream.concat(names.stream(), Stream.of("reason"))
                    .map(InputColumns::column)
                    .toList();
            Map<String, String> examples = new HashMap<>();
            Map<String, Integer> counts = new LinkedHashMap<>();
            for (Row row : bad.select(columns.toArray(Column[]::new)).takeAsList(REASONS)) {
                String reason = String.valueOf(row.get(names.size()));
                String kind = reason.replaceAll("(?s)( fails: \\[[A-Z0-9_.]+\\]).*", "$1")
                        .replaceAll("-?\\d+(\\.\\d+)?", "N");
                String named = IntStream.range(0, names.size())
                        .filter(i -> !row.isNullAt(i))
                        .mapToObj(i -> "%s %s".formatted(names.get(i), row.get(i)))
                        .collect(Collectors.joining(", "));
                examples.putIfAbsent(kind, named.isEmpty() ? reason : "%s: %s".formatted(named, reason));
                counts.merge(kind, 1, Integer::sum);
            }
            return Map.of(
                    "quarantineReasons",
                    counts.entrySet().stream()
                            .sorted(Map.Entry.<String, Integer>comparingByValue()
                                    .reversed())
                            .limit(20)
                            .map(entry -> Map.of(
                                    "reason", entry.getKey(),
                                    "example", examples.get(entry.getKey()),
                                    "rows", entry.getValue()))
                            .toList());
        } catch (Exception e) {
            return Map.of();
        }
    }
}
