package dev.bellman.job.cli;

import static org.apache.spark.sql.functions.array_contains;
import static org.apache.spark.sql.functions.array_position;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.element_at;
import static org.apache.spark.sql.functions.lit;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.ParquetRows;
import dev.bellman.job.output.PathPattern;
import dev.bellman.job.spec.CommandName;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.terminal.Printable;
import dev.bellman.large.GraphInput;
import dev.bellman.large.GraphPaths;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bellman path}: prints one path from the output of a shortest-paths job. */
@Command(
        name = "path",
        footer = {"", CommandName.SPARK_OPTIONS},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Reads one path from the output of a job with problem: all_pairs_shortest_paths. The job's results must "
                    + "include previous or next.",
            "Prints the distance, if the output contains distances, and the vertices of the path, one per line."
        })
public final class PathCommand implements Callable<Integer> {
    private static final List<String> NEEDED =
            List.of(GraphPaths.SOURCE, GraphPaths.FIRST, GraphPaths.LAST, GraphPaths.TARGET);

    /**
     * The maximum size, in bytes, of an output that is read completely without a session. If all rows of a larger
     * output are needed, a session reads them on all cores.
     */
    private static final long MAX_STORED = 16 << 20;

    @Spec
    private CommandSpec spec;

    @Option(names = "--from", required = true, paramLabel = "VERTEX", description = "the first vertex of the path")
    private String from;

    @Option(names = "--to", required = true, paramLabel = "VERTEX", description = "the last vertex of the path")
    private String to;

    @Parameters(paramLabel = "OUTPUT", description = "the output of the job")
    private String output;

    @Override
    public Integer call() {
        List<String> lines;
        try {
            lines = stored().orElseGet(this::queried);
        } catch (BellmanException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // the session will report the error
            lines = queried();
        }
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(line -> out.println(Printable.text(line)));
        out.flush();
        return ExitCode.DONE.number();
    }

    /** Reads the path without a session if the files and the vertex type make this possible. */
    private Optional<List<String>> stored() throws IOException {
        Optional<ParquetRows> files =
                ParquetRows.of(output, SparkHadoopUtil.get().newConfiguration(new SparkConf()));
        if (files.isEmpty() || !isComplete(files.get().schema())) {
            return Optional.empty();
        }
        StructType schema = files.get().schema();
        Optional<StoredVertex> begin = StoredVertex.of(schema, from);
        Optional<StoredVertex> end = StoredVertex.of(schema, to);
        if (begin.isEmpty() || end.isEmpty()) {
            return Optional.empty();
        }
        List<Row> rows = new ArrayList<>();
        if (has(schema, GraphPaths.PREVIOUS)) {
            List<String> columns = List.of(GraphPaths.TARGET, GraphPaths.PREVIOUS, GraphPaths.DISTANCE);
            // the filter needs the source column
            List<String> read = List.of(GraphPaths.SOURCE, GraphPaths.TARGET, GraphPaths.PREVIOUS, GraphPaths.DISTANCE);
            files.get().each(read, begin.get().isSource(), row -> rows.add(row(row, columns)));
            Object last = end.get().value();
            if (!reaches(rows, last)) {
                if (files.get().bytes() > MAX_STORED) {
                    return Optional.empty();
                }
                Set<Object> ends = new HashSet<>();
                files.get().each(List.of(GraphPaths.SOURCE, GraphPaths.TARGET), FilterCompat.NOOP, row -> {
                    ends.add(row.getAs(GraphPaths.SOURCE));
                    if (row.getList(row.fieldIndex(GraphPaths.TARGET)).contains(last)) {
                        ends.add(last);
                    }
                });
                mustBeSource(!rows.isEmpty(), begin.get().value());
                mustBeReached(ends.contains(last), last);
            }
            return Optional.of(back(rows, begin.get().value(), last));
        }
        if (files.get().bytes() > MAX_STORED) {
            return Optional.empty();
        }
        Set<Object> sources = new HashSet<>();
        List<String> columns = List.of(GraphPaths.SOURCE, GraphPaths.TARGET, GraphPaths.NEXT, GraphPaths.DISTANCE);
        files.get().each(columns, FilterCompat.NOOP, stored -> {
            Row row = row(stored, columns);
            sources.add(row.get(0));
            int place = row.getList(1).indexOf(end.get().value());
            if (place >= 0) {
                Object distance = row.isNullAt(3) ? null : row.getList(3).get(place);
                rows.add(RowFactory.create(row.get(0), row.getList(2).get(place), distance));
            }
        });
        return Optional.of(walk(
                rows,
                begin.get().value(),
                end.get().value(),
                sources.contains(begin.get().value())));
    }

    /** Returns a row with these columns, in this order; columns that the output lacks are NULL. */
    private static Row row(Row stored, List<String> columns) {
        List<String> names = Arrays.asList(stored.schema().fieldNames());
        return RowFactory.create(columns.stream()
                .map(column -> names.contains(column) ? stored.get(names.indexOf(column)) : null)
                .toArray());
    }

    private List<String> queried() {
        try (Session session = Session.open("bellman: path")) {
            Dataset<Row> paths = read(session.spark());
            DataType type = paths.schema().apply(GraphPaths.SOURCE).dataType();
            Object begin = vertex(paths, type, from);
            Object end = vertex(paths, type, to);
            if (!has(paths.schema(), GraphPaths.PREVIOUS)) {
                return on(paths, type, begin, end);
            }
            List<Row> rows = paths.where(
                            col(GraphPaths.SOURCE).equalTo(lit(begin).cast(type)))
                    .select(
                            col(GraphPaths.TARGET),
                            col(GraphPaths.PREVIOUS),
                            has(paths.schema(), GraphPaths.DISTANCE) ? col(GraphPaths.DISTANCE) : lit(null))
                    .collectAsList();
            mustBeSource(!rows.isEmpty(), begin);
            mustBeReached(reaches(rows, end) || occurs(paths, type, end), end);
            return back(rows, begin, end);
        }
    }

    /**
     * Traces the path backward through the previous vertices. The rows of the path's source contain all vertices of the
     * path.
     */
    private List<String> back(List<Row> rows, Object begin, Object end) {
        Map<Object, Object> previous = new HashMap<>();
        Object distance = null;
        for (Row row : rows) {
            List<Object> targets = row.getList(0);
            List<Object> before = row.getList(1);
            for (int i = 0; i < targets.size(); i++) {
                previous.put(targets.get(i), before.get(i));
            }
            int place = targets.indexOf(end);
            if (place >= 0 && !row.isNullAt(2)) {
                distance = row.getList(2).get(place);
            }
        }
        if (!previous.containsKey(end)) {
            return noPath(begin, end);
        }
        LinkedList<String> vertices = new LinkedList<>();
        for (Object at = end; at != null; at = previous.get(at)) {
            vertices.addFirst(at.toString());
        }
        return lines(vertices, distance);
    }

    /** Follows the path forward through the next vertices. */
    private List<String> on(Dataset<Row> paths, DataType type, Object begin, Object end) {
        // the paths from all vertices to the end vertex
        List<Row> column = paths.where(lit(end).cast(type).between(col(GraphPaths.FIRST), col(GraphPaths.LAST)))
                .withColumn("place", array_position(col(GraphPaths.TARGET), lit(end).cast(type)))
                .where(col("place").gt(0))
                .select(col(GraphPaths.SOURCE), at(GraphPaths.NEXT), distance(paths))
                .collectAsList();
        return walk(column, begin, end, sources(paths, type, begin));
    }

    private static boolean has(StructType schema, String column) {
        return Arrays.asList(schema.fieldNames()).contains(column);
    }

    private static boolean isComplete(StructType schema) {
        return Arrays.asList(schema.fieldNames()).containsAll(NEEDED)
                && (has(schema, GraphPaths.PREVIOUS) || has(schema, GraphPaths.NEXT));
    }

    private static Column at(String array) {
        return element_at(col(array), col("place").cast("int"));
    }

    private static Column distance(Dataset<Row> paths) {
        return has(paths.schema(), GraphPaths.DISTANCE) ? at(GraphPaths.DISTANCE) : lit(null);
    }

    private Dataset<Row> read(SparkSession spark) {
        Dataset<Row> paths;
        try {
            paths = spark.read().parquet(PathPattern.literal(output));
        } catch (Exception e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "cannot read the output %s: %s"
                            .formatted(
                                    output,
                                    Failures.withoutCode(Failures.explain(e).getMessage())),
                    e);
        }
        if (!isComplete(paths.schema())) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_SCHEMA,
                    ("%s has the columns %s; a path requires the columns %s, and previous or next. Use the output of "
                                    + "all_pairs_shortest_paths with results: [distance, previous]")
                            .formatted(output, String.join(", ", paths.columns()), String.join(", ", NEEDED)));
        }
        return paths;
    }

    /** Parses a vertex according to the type that vertices have in the output. */
    private static Object vertex(Dataset<Row> paths, DataType type, String text) {
        Object vertex =
                GraphInput.parse(paths.sparkSession(), type, List.of(text)).get(0);
        if (vertex == null) {
            throw unknown(text, "vertices are of type " + type.sql());
        }
        return vertex;
    }

    private static BellmanException unknown(Object vertex, String why) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "the output has no paths from the vertex '%s': %s".formatted(vertex, why));
    }

    /** Whether the output has paths from a vertex; every source has at least a path to itself. */
    private static boolean sources(Dataset<Row> paths, DataType type, Object vertex) {
        return !paths.where(col(GraphPaths.SOURCE).equalTo(lit(vertex).cast(type)))
                .select(GraphPaths.SOURCE)
                .isEmpty();
    }

    /** Whether any path in the output starts or ends at this vertex. */
    private static boolean occurs(Dataset<Row> paths, DataType type, Object vertex) {
        return sources(paths, type, vertex)
                || !paths.where(array_contains(
                                col(GraphPaths.TARGET), lit(vertex).cast(type)))
                        .select(GraphPaths.SOURCE)
                        .isEmpty();
    }

    /** Whether the rows of a source contain a path to this vertex; the first column of these rows lists the targets. */
    private static boolean reaches(List<Row> rows, Object vertex) {
        return rows.stream().anyMatch(row -> row.getList(0).contains(vertex));
    }

    private static void mustBeSource(boolean known, Object vertex) {
        if (!known) {
            throw unknown(vertex, "the vertex has no edges, or is not one of the job's sources");
        }
    }

    /** Fails for a vertex that does not occur in the output; such a vertex is usually a typing error. */
    private static void mustBeReached(boolean known, Object vertex) {
        if (!known) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    ("no path in the output ends at the vertex '%s': the vertex has no edges, or none of the job's "
                                    + "sources reaches it")
                            .formatted(vertex));
        }
    }

    private static List<String> noPath(Object begin, Object end) {
        return List.of("there is no path from %s to %s".formatted(begin, end));
    }

    private List<String> walk(List<Row> column, Object begin, Object end, boolean known) {
        Map<Object, Row> paths = new HashMap<>();
        column.forEach(row -> paths.put(row.get(0), row));
        mustBeSource(known, begin);
        mustBeReached(!column.isEmpty(), end);
        if (!paths.containsKey(begin)) {
            return noPath(begin, end);
        }
        List<String> lines = new ArrayList<>();
        Object at = begin;
        while (!at.equals(end)) {
            lines.add(at.toString());
            Row row = paths.get(at);
            if (row == null) {
                throw unknown(
                        at,
                        "the path passes through this vertex, which is not one of the job's sources; add 'previous' "
                                + "to the job's results");
            }
            at = row.get(1);
        }
        lines.add(end.toString());
        return lines(lines, paths.get(begin).get(2));
    }

    private static List<String> lines(List<String> vertices, Object distance) {
        int edges = vertices.size() - 1;
        List<String> lines = new ArrayList<>();
        lines.add("%s%d %s"
                .formatted(
                        distance == null ? "" : "distance %s, ".formatted(distance),
                        edges,
                        edges == 1 ? "edge" : "edges"));
        lines.addAll(vertices);
        return lines;
    }
}
