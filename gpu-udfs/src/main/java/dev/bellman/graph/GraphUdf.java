package dev.bellman.graph;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.Strategies;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.TaskMemory;
import dev.bellman.graph.ShortestPaths.Strategy;
import java.util.List;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * The common part of the graph functions: the handling of NULL, of edges with NULL, and of graphs that are too large.
 */
abstract class GraphUdf implements UDF2<Integer, ArrayData, Object>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    /** Spark boxes each element and writes it to a buffer that doubles when full. */
    private static final int BYTES_OF_A_RESULT = 56;

    /** As objects and in a Spark row, in lists here, and in sorted ones. */
    private static final int BYTES_OF_AN_EDGE = 180;

    /** The fields of an edge. */
    private static final List<String> FIELDS = List.of("source", "target", "weight");

    final String function;
    /** Whether the weights are DOUBLE rather than BIGINT. */
    final boolean doubles;

    final Strategy strategy;
    final FunctionOptions options;
    /** Whether next vertices are wanted rather than lengths. */
    final boolean next;

    GraphUdf(String function, boolean doubles, boolean next, Strategy strategy, FunctionOptions options) {
        this.function = function;
        this.doubles = doubles;
        this.next = next;
        this.strategy = strategy;
        this.options = options;
    }

    /** The function's result from a table: an array of arrays. */
    abstract Object result(PathTable table, int nodes);

    /** The same function with other options. */
    abstract GraphUdf with(FunctionOptions other);

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    final Object onCpu(FunctionOptions other, List<Object> arguments) {
        return with(other).call((Integer) arguments.get(0), (ArrayData) arguments.get(1));
    }

    @Override
    public final Object call(Integer nodes, ArrayData edges) {
        return nodes == null || edges == null ? null : options.answer(() -> answer(nodes, edges));
    }

    private Object answer(int nodes, ArrayData edges) {
        checkSize(nodes);
        Graph graph = graph(nodes, edges);
        ShortestPaths.Plan plan = ShortestPaths.planInTask(graph, strategy, next);
        Object result = result(ShortestPaths.solve(graph, plan, next), nodes);
        options.cells().add((long) nodes * nodes * nodes);
        chose(plan.strategy(), 1);
        return result;
    }

    /** Counts rows for which {@code auto} has chosen this strategy. */
    final void chose(Strategy chosen, int rows) {
        if (strategy == Strategy.AUTO) {
            options.cells().chose(Strategies.name(chosen), rows);
        }
    }

    private void checkSize(int nodes) {
        if (nodes > ShortestPaths.MAX_NODES) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: nodes is %,d; the table of a row holds at most %,d x %,d"
                            .formatted(function, nodes, ShortestPaths.MAX_NODES, ShortestPaths.MAX_NODES));
        }
        TaskMemory.take(
                function,
                (long) nodes * nodes * (2 * Long.BYTES + BYTES_OF_A_RESULT),
                "",
                () -> "the table of %,d x %,d vertices".formatted(nodes, nodes));
    }

    private Graph graph(int nodes, ArrayData edges) {
        ErrorContext context = ErrorContext.ofFunction(function);
        int count = edges.numElements();
        TaskMemory.take(function, (long) BYTES_OF_AN_EDGE * count, "", () -> "a list of %,d edges".formatted(count));
        int[] sources = new int[count];
        int[] targets = new int[count];
        long[] longs = doubles ? null : new long[count];
        double[] ofDouble = doubles ? new double[count] : null;
        for (int e = 0; e < count; e++) {
            if (edges.isNullAt(e)) {
                throw Graph.invalid(context, "edge %d (counted from 1) is NULL".formatted(e + 1));
            }
            InternalRow edge = edges.getStruct(e, FIELDS.size());
            // rows of vectorised readers have no anyNull
            for (int field = 0; field < FIELDS.size(); field++) {
                if (edge.isNullAt(field)) {
                    throw Graph.invalid(
                            context, "the %s of edge %d (counted from 1) is NULL".formatted(FIELDS.get(field), e + 1));
                }
            }
            sources[e] = edge.getInt(0);
            targets[e] = edge.getInt(1);
            if (doubles) {
                ofDouble[e] = edge.getDouble(2);
            } else {
                longs[e] = edge.getLong(2);
            }
        }
        return doubles
                ? Graph.ofDoubles(context, nodes, sources, targets, ofDouble)
                : Graph.ofLongs(context, nodes, sources, targets, longs);
    }

    @Override
    public final boolean hasKernel() {
        return strategy != Strategy.DIJKSTRA && strategy != Strategy.JOHNSON;
    }
}
