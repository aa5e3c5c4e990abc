package dev.bellman.job.run;

import dev.bellman.job.rows.InstanceQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The sizes of the first values of a query's arguments, which Spark reads while the run continues: for each argument
 * that is a string or an array, the share of its values in each length class. A class ends at a power of four, the
 * first at 16.
 */
final class ArgumentSizes {
    private static final int FIRST = 2_000;

    private record Measured(List<String> names, Future<List<Row>> rows) {}

    private final List<Measured> arguments = new ArrayList<>();

    /** Starts to read the values. */
    ArgumentSizes(InstanceQuery query) {
        for (Dataset<Row> values : query.argumentValues()) {
            List<Distributions.Measure> measures = Stream.of(values.schema().fields())
                    .filter(field ->
                            field.dataType().equals(DataTypes.StringType) || field.dataType() instanceof ArrayType)
                    .flatMap(field -> Distributions.measure(field).stream())
                    .toList();
            if (!measures.isEmpty()) {
                arguments.add(new Measured(
                        measures.stream().map(Distributions.Measure::name).toList(),
                        values.select(measures.stream()
                                        .map(Distributions.Measure::value)
                                        .toArray(Column[]::new))
                                .toJavaRDD()
                                .takeAsync(FIRST)));
            }
        }
    }

    /**
     * Waits for the values. Returns an entry for the report; returns an empty map if an argument has no values, or if
     * they cannot be read.
     */
    Map<String, Object> describe() {
        try {
            List<Map<String, Object>> sizes = new ArrayList<>();
            for (Measured each : arguments) {
                List<Row> rows = each.rows.get();
                if (rows.isEmpty()) {
                    return Map.of();
                }
                for (int i = 0; i < each.names.size(); i++) {
                    sizes.add(classes(each.names.get(i), i, rows));
                }
            }
            return sizes.isEmpty() ? Map.of() : Map.of("sizes", sizes);
        } catch (Exception e) {
            return Map.of();
        }
    }

    private static Map<String, Object> classes(String name, int column, List<Row> rows) {
        Map<Long, Integer> counts = new TreeMap<>();
        for (Row row : rows) {
            if (!row.isNullAt(column)) {
                long bound = 16;
                while (bound < row.getDouble(column)) {
                    bound *= 4;
                }
                counts.merge(bound, 1, Integer::sum);
            }
        }
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        Map<String, Object> classes = new LinkedHashMap<>();
        classes.put("name", name);
        classes.put("rows", rows.size());
        classes.put(
                "classes",
                counts.entrySet().stream()
                        .map(entry -> Map.of("upTo", entry.getKey(), "share", entry.getValue() / (double) all))
                        .toList());
        return classes;
    }
}
