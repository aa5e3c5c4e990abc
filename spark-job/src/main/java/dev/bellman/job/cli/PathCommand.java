package dev.bellman.job.cli;

import static org.apache.spark.sql.functions.array_position;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.element_at;
import static org.apache.spark.sql.functions.lit;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.output.PathPattern;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.terminal.Printable;
import dev.bellman.large.GraphInput;
import dev.bellman.large.GraphPaths;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bellman path}: one path from the output of a shortest-paths job. */
@Command(
        name = "path",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Reads one path out of the output of a job with problem: all_pairs_shortest_paths and next among its "
                    + "results.",
            "Prints its distance, where the output has distances, and its vertices, one a line."
        })
public final class PathCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--from", required = true, paramLabel = "VERTEX", description = "where the path begins")
    private String from;

    @Option(names = "--to", required = true, paramLabel = "VERTEX", description = "where it ends")
    private String to;

    @Parameters(paramLabel = "OUTPUT", description = "the output of the job")
    private String output;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (Session session = Session.open("bellman: path")) {
            Dataset<Row> paths = read(session.spark());
            DataType type = paths.schema().apply(GraphPaths.SOURCE).dataType();
            Object begin = vertex(paths, type, from);
            Object end = vertex(paths, type, to);
            // the paths to one vertex from all others: its column
            List<Row> column = paths.where(lit(end).cast(type).between(col(GraphPaths.FIRST), col(GraphPaths.LAST)))
                    .withColumn("place", array_position(col(GraphPaths.TARGET), lit(end).cast(type)))
                    .where(col("place").gt(0))
                    .select(col(GraphPaths.SOURCE), at(GraphPaths.NEXT), distance(paths))
                    .collectAsList();
            walk(column, begin, end, sources(paths, type, begin)).forEach(line -> out.println(Printable.text(line)));
            out.flush();
        }
        return ExitCode.DONE.number();
    }

    private static Column at(String array) {
        return element_at(col(array), col("place").cast("int"));
    }

    private static Column distance(Dataset<Row> paths) {
        return Arrays.asList(paths.columns()).contains(GraphPaths.DISTANCE) ? at(GraphPaths.DISTANCE) : lit(null);
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
        List<String> columns = Arrays.asList(paths.columns());
        List<String> needed =
                List.of(GraphPaths.SOURCE, GraphPaths.FIRST, GraphPaths.LAST, GraphPaths.TARGET, GraphPaths.NEXT);
        if (!columns.containsAll(needed)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_SCHEMA,
                    ("%s has the columns %s; a path needs %s: the output of all_pairs_shortest_paths with results: "
                                    + "[distance, next]")
                            .formatted(output, String.join(", ", columns), String.join(", ", needed)));
        }
        return paths;
    }

    /** Parses a vertex of the output's vertex type. */
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

    /** Whether the output has paths from a vertex; every source has the path to itself. */
    private static boolean sources(Dataset<Row> paths, DataType type, Object vertex) {
        return !paths.where(col(GraphPaths.SOURCE).equalTo(lit(vertex).cast(type)))
                .select(GraphPaths.SOURCE)
                .isEmpty();
    }

    private List<String> walk(List<Row> column, Object begin, Object end, boolean known) {
        Map<Object, Row> paths = new HashMap<>();
        column.forEach(row -> paths.put(row.get(0), row));
        if (!known) {
            throw unknown(begin, "no edge has it, or it is none of the job's sources");
        }
        if (column.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    ("no path of the output ends at the vertex '%s': no edge has it, or none of the job's sources "
                                    + "reaches it")
                            .formatted(end));
        }
        if (!paths.containsKey(begin)) {
            return List.of("there is no path from %s to %s".formatted(begin, end));
        }
        List<String> lines = new ArrayList<>();
        Object at = begin;
        while (!at.equals(end)) {
            lines.add(at.toString());
            Row row = paths.get(at);
            if (row == null) {
                throw unknown(at, "it is on the way, but none of the job's sources; run the job for all sources");
            }
            at = row.get(1);
        }
        lines.add(end.toString());
        Row first = paths.get(begin);
        String distance = first.isNullAt(2) ? "" : "distance %s, ".formatted(first.get(2));
        int edges = lines.size() - 1;
        lines.add(0, "%s%d %s".formatted(distance, edges, edges == 1 ? "edge" : "edges"));
        return lines;
    }
}
