package dev.bellman.graph;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.graph.ShortestPaths.Strategy;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Solves a row's graph on the CPU: rejects NULL edges and graphs that are too large, and returns arrays. */
final class GraphRow {
    /**
     * The number of bytes per result element: Spark boxes each element and writes it to a buffer whose size doubles
     * when it is full.
     */
    private static final int BYTES_OF_A_RESULT = 56;

    /**
     * The number of bytes per edge, including its copies: as objects, in a Spark row, in this class's lists, and in
     * sorted lists.
     */
    private static final int BYTES_OF_AN_EDGE = 180;

    private static final List<String> FIELDS = List.of("source", "target", "weight");

    private GraphRow() {}

    static Object lengthsOfLongs(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return lengths(solve(strategy, options, arguments, false, false), arguments.integer(0), false);
    }

    static Object lengthsOfDoubles(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return lengths(solve(strategy, options, arguments, true, false), arguments.integer(0), true);
    }

    static Object nextOfLongs(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return next(solve(strategy, options, arguments, false, true), arguments.integer(0));
    }

    static Object nextOfDoubles(Strategy strategy, FunctionOptions options, Arguments arguments) {
        return next(solve(strategy, options, arguments, true, true), arguments.integer(0));
    }

    private static Object lengths(PathTable table, int vertices, boolean doubles) {
        Object[][] rows = new Object[vertices][vertices];
        for (int i = 0; i < vertices; i++) {
            for (int j = 0; j < vertices; j++) {
                if (table.reaches(i, j)) {
                    long length = table.length(i, j);
                    // a conditional expression would convert both values to double
                    if (doubles) {
                        rows[i][j] = Double.longBitsToDouble(length);
                    } else {
                        rows[i][j] = length;
                    }
                }
            }
        }
        return rows;
    }

    private static Object next(PathTable table, int vertices) {
        Integer[][] rows = new Integer[vertices][vertices];
        for (int i = 0; i < vertices; i++) {
            for (int j = 0; j < vertices; j++) {
                int vertex = table.next(i, j);
                rows[i][j] = vertex == PathTable.NONE ? null : Integer.valueOf(vertex);
            }
        }
        return rows;
    }

    /**
     * @param doubles whether the weights are DOUBLE rather than BIGINT
     * @param next whether to return next vertices rather than lengths
     */
    private static PathTable solve(
            Strategy strategy, FunctionOptions options, Arguments arguments, boolean doubles, boolean next) {
        int vertices = arguments.integer(0);
        checkSize(arguments.function(), vertices);
        Graph graph = graph(arguments.function(), vertices, arguments.array(1), doubles);
        ShortestPaths.Plan plan = ShortestPaths.planInTask(graph, strategy, next);
        PathTable table = ShortestPaths.solve(graph, plan, next);
        options.cells().add((long) vertices * vertices * vertices);
        chose(options, strategy, plan.strategy(), 1);
        return table;
    }

    /** If the requested strategy is {@code auto}, counts rows for the strategy that it chose. */
    static void chose(FunctionOptions options, Enum<?> asked, Strategy chosen, int rows) {
        if (asked == Strategy.AUTO) {
            options.cells().chose(Strategies.name(chosen), rows);
        }
    }

    private static void checkSize(String function, int vertices) {
        if (vertices > ShortestPaths.MAX_NODES) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: vertex_count is %,d; the maximum for a graph in one row is %,d"
                            .formatted(function, vertices, ShortestPaths.MAX_NODES));
        }
        TaskMemory.take(
                function,
                (long) vertices * vertices * (2 * Long.BYTES + BYTES_OF_A_RESULT),
                "",
                () -> "the table for %,d x %,d vertices".formatted(vertices, vertices));
    }

    private static Graph graph(String function, int vertices, ArrayData edges, boolean doubles) {
        ErrorContext context = ErrorContext.ofFunction(function);
        int count = edges.numElements();
        TaskMemory.take(function, (long) BYTES_OF_AN_EDGE * count, "", () -> "a list of %,d edges".formatted(count));
        int[] sources = new int[count];
        int[] targets = new int[count];
        long[] longs = doubles ? null : new long[count];
        double[] ofDouble = doubles ? new double[count] : null;
        for (int e = 0; e < count; e++) {
            InternalRow edge = edge(context, edges, e);
            sources[e] = edge.getInt(0);
            targets[e] = edge.getInt(1);
            if (doubles) {
                ofDouble[e] = edge.getDouble(2);
            } else {
                longs[e] = edge.getLong(2);
            }
        }
        return doubles
                ? Graph.ofDoubles(context, vertices, sources, targets, ofDouble)
                : Graph.ofLongs(context, vertices, sources, targets, longs);
    }

    private static InternalRow edge(ErrorContext context, ArrayData edges, int index) {
        if (edges.isNullAt(index)) {
            throw Graph.invalid(context, "edge %d (counted from 1) is NULL".formatted(index + 1));
        }
        InternalRow edge = edges.getStruct(index, FIELDS.size());
        // rows from vectorized readers do not implement anyNull
        for (int field = 0; field < FIELDS.size(); field++) {
            if (edge.isNullAt(field)) {
                throw Graph.invalid(
                        context, "the %s of edge %d (counted from 1) is NULL".formatted(FIELDS.get(field), index + 1));
            }
        }
        return edge;
    }
}
