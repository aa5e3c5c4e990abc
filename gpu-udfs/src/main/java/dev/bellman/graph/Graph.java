package dev.bellman.graph;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.graph.dense.DoubleDistances;
import java.io.Serializable;
import java.util.Arrays;

/**
 * A directed graph with the vertices 0 to {@code nodes - 1}. Of parallel edges, only the lightest is stored. Self-loops
 * are not stored, because no shortest path needs a non-negative self-loop.
 *
 * <p>The edges of vertex {@code v} have the indices from {@code starts[v]} to {@code starts[v + 1] - 1}, in ascending
 * order of their targets. Their weights are in {@code longs} or {@code doubles}; the other array is null.
 */
public final class Graph implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The maximum magnitude of a DOUBLE weight, so that no sum of weights is infinite. */
    public static final double MAX_WEIGHT = 1e288;

    final ErrorContext context;

    final int nodes;
    final int[] starts;
    final int[] targets;
    final long[] longs;
    final double[] doubles;

    private Graph(ErrorContext context, int nodes, int[] starts, int[] targets, long[] longs, double[] doubles) {
        this.context = context;
        this.nodes = nodes;
        this.starts = starts;
        this.targets = targets;
        this.longs = longs;
        this.doubles = doubles;
    }

    /**
     * Returns the graph with these edges.
     *
     * @param context the context for error messages, both in this method and in algorithms that process the graph
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if {@code nodes} is negative, an end of an edge is
     *     not a vertex, or a self-loop is negative
     */
    public static Graph ofLongs(ErrorContext context, int nodes, int[] sources, int[] targets, long[] weights) {
        return of(context, nodes, sources, targets, weights, null);
    }

    /**
     * Returns the graph with the given edges.
     *
     * @throws BellmanException as for {@link #ofLongs}, or if a weight is NaN or its magnitude exceeds {@link
     *     #MAX_WEIGHT}
     */
    public static Graph ofDoubles(ErrorContext context, int nodes, int[] sources, int[] targets, double[] weights) {
        for (int e = 0; e < weights.length; e++) {
            if (!isWeight(weights[e])) {
                throw invalid(
                        context,
                        "the weight of edge %d (counted from 1) is %s; it must be a number of at most %s in magnitude"
                                .formatted(e + 1, weights[e], MAX_WEIGHT));
            }
        }
        return of(context, nodes, sources, targets, null, weights);
    }

    /** Whether a DOUBLE can be a weight: its magnitude must be at most {@link #MAX_WEIGHT}. */
    public static boolean isWeight(double weight) {
        return Math.abs(weight) <= MAX_WEIGHT;
    }

    private static Graph of(
            ErrorContext context, int nodes, int[] sources, int[] targets, long[] longs, double[] doubles) {
        if (nodes < 0) {
            throw invalid(context, "vertex_count is %d; it must be at least 0".formatted(nodes));
        }
        for (int e = 0; e < sources.length; e++) {
            checkVertex(context, nodes, e, "source", sources[e]);
            checkVertex(context, nodes, e, "target", targets[e]);
            if (sources[e] == targets[e] && (longs == null ? doubles[e] < 0 : longs[e] < 0)) {
                throw negativeCycle(context, sources[e]);
            }
        }
        int[] order = order(nodes, sources, order(nodes, targets));
        int[] starts = new int[nodes + 1];
        int[] ends = new int[order.length];
        long[] ofLong = longs == null ? null : new long[order.length];
        double[] ofDouble = doubles == null ? null : new double[order.length];
        int count = 0;
        for (int i = 0; i < order.length; i++) {
            int e = order[i];
            if (sources[e] == targets[e]) {
                continue;
            }
            boolean parallel = starts[sources[e] + 1] > 0 && ends[count - 1] == targets[e];
            if (!parallel) {
                starts[sources[e] + 1]++;
                ends[count++] = targets[e];
            }
            int at = count - 1;
            if (longs != null) {
                ofLong[at] = parallel ? Math.min(ofLong[at], longs[e]) : longs[e];
            } else {
                // adding 0.0 turns -0.0 into 0.0
                double weight = doubles[e] + 0.0;
                ofDouble[at] = parallel ? Math.min(ofDouble[at], weight) : weight;
            }
        }
        for (int v = 0; v < nodes; v++) {
            starts[v + 1] += starts[v];
        }
        return new Graph(context, nodes, starts, ends, ofLong, ofDouble);
    }

    private static void checkVertex(ErrorContext context, int nodes, int edge, String end, int vertex) {
        if (vertex < 0 || vertex >= nodes) {
            throw invalid(
                    context,
                    "the %s of edge %d (counted from 1) is %d; it must be a vertex from 0 to vertex_count - 1 = %d"
                            .formatted(end, edge + 1, vertex, nodes - 1));
        }
    }

    /** Returns the indices of numbers from 0 to {@code most - 1}, sorted by these numbers; ties keep their order. */
    static int[] order(int most, int... numbers) {
        return order(most, numbers, null);
    }

    /** Returns the edges sorted by the vertex at one end; edges with the same vertex keep their order. */
    private static int[] order(int nodes, int[] vertices, int[] before) {
        int[] places = new int[nodes + 1];
        for (int vertex : vertices) {
            places[vertex + 1]++;
        }
        for (int v = 0; v < nodes; v++) {
            places[v + 1] += places[v];
        }
        int[] order = new int[vertices.length];
        for (int i = 0; i < order.length; i++) {
            int e = before == null ? i : before[i];
            order[places[vertices[e]]++] = e;
        }
        return order;
    }

    public int nodes() {
        return nodes;
    }

    public boolean hasDoubles() {
        return doubles != null;
    }

    /** Returns the number of edges; parallel edges count once, and self-loops do not count. */
    public int edges() {
        return starts[nodes];
    }

    boolean hasNegativeWeights() {
        for (int e = 0; e < edges(); e++) {
            if (longs == null ? doubles[e] < 0 : longs[e] < 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the largest magnitude of an integer weight, rounded to a double. */
    double largestMagnitude() {
        double largest = 0;
        for (int e = 0; e < edges(); e++) {
            largest = Math.max(largest, Math.abs((double) longs[e]));
        }
        return largest;
    }

    /** Returns the margin to pass to {@link DoubleDistances}, which is 0 for integers. */
    public double margin() {
        return doubles == null
                ? 0
                : DoubleDistances.margin(
                        nodes, Arrays.stream(doubles, 0, edges()).min().orElse(0));
    }

    BellmanException negativeCycle(int vertex) {
        return negativeCycle(context, vertex);
    }

    private static BellmanException negativeCycle(ErrorContext context, int vertex) {
        return invalid(
                context,
                "%s is on a cycle of negative weight, so shortest paths do not exist"
                        .formatted(context.vertex(vertex)));
    }

    static BellmanException invalid(ErrorContext context, String what) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE, "%s: %s. %s".formatted(context.caller(), what, context.correction()));
    }
}
