package dev.bellman.graph;

import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/** Grows the tree of paths to each target from DOUBLE path lengths, as {@link ShortestPaths} defines it. */
final class PathTrees {
    /**
     * The index of each vertex's first incoming edge: the edges into vertex {@code v} come from the vertices
     * {@code sources[starts[v]]} to {@code sources[starts[v + 1] - 1]}.
     */
    private final int[] starts;

    private final int[] sources;
    private final double[] weights;
    /** The next vertex on each path, indexed by target and vertex. */
    private final int[][] next;

    /** The number of edges on each path, indexed by target and vertex. */
    private final int[][] edges;

    PathTrees(Graph graph, DoublePaths.Lengths lengths) {
        int n = graph.nodes;
        starts = new int[n + 1];
        sources = new int[graph.edges()];
        weights = new double[graph.edges()];
        for (int e = 0; e < sources.length; e++) {
            starts[graph.targets[e] + 1]++;
        }
        for (int v = 0; v < n; v++) {
            starts[v + 1] += starts[v];
        }
        int[] places = starts.clone();
        for (int i = 0; i < n; i++) {
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                int place = places[graph.targets[e]]++;
                sources[place] = i;
                weights[place] = graph.doubles[e];
            }
        }
        next = new int[n][n];
        edges = new int[n][n];
        Cancellation cancellation = new Cancellation();
        for (int target = 0; target < n; target++) {
            cancellation.count((long) n * n + sources.length);
            int end = target;
            Arrays.fill(next[end], PathTable.NONE);
            grow(end, starts, sources, weights, i -> lengths.of(i, end), next[end], edges[end]);
        }
    }

    int next(int from, int to) {
        return next[to][from];
    }

    int edges(int from, int to) {
        return edges[to][from];
    }

    /**
     * Grows the tree of paths between one vertex, the root, and all others.
     *
     * @param starts for each vertex, the index of the first of its edges along which the tree may grow
     * @param ends the vertices at the other ends of these edges
     * @param lengths the lengths of the paths between each vertex and the root
     * @param next receives the vertex after each vertex on the way to the root; must contain {@link PathTable#NONE} on
     *     entry
     * @param edges receives the number of edges between each vertex and the root
     */
    static void grow(
            int root,
            int[] starts,
            int[] ends,
            double[] weights,
            IntToDoubleFunction lengths,
            int[] next,
            int... edges) {
        double[] slack = new double[next.length];
        boolean[] joined = new boolean[next.length];
        Arrays.fill(slack, Double.POSITIVE_INFINITY);
        double[] toRoot = new double[next.length];
        Arrays.setAll(toRoot, lengths);
        for (int v = root; v != PathTable.NONE; v = first(joined, next, slack, edges)) {
            joined[v] = true;
            for (int e = starts[v]; e < starts[v + 1]; e++) {
                int i = ends[e];
                if (!joined[i]) {
                    double own = Math.max(0, weights[e] + toRoot[v] - toRoot[i]);
                    if (own < slack[i]
                            || own == slack[i]
                                    && (edges[v] + 1 < edges[i] || edges[v] + 1 == edges[i] && v < next[i])) {
                        slack[i] = own;
                        edges[i] = edges[v] + 1;
                        next[i] = v;
                    }
                }
            }
        }
    }

    /** Returns the vertex that joins the tree next, or {@link PathTable#NONE} if no further vertex can join it. */
    private static int first(boolean[] joined, int[] next, double[] slack, int... edges) {
        int first = PathTable.NONE;
        for (int i = 0; i < joined.length; i++) {
            boolean before = first == PathTable.NONE
                    || slack[i] < slack[first]
                    || slack[i] == slack[first] && edges[i] < edges[first];
            if (!joined[i] && next[i] != PathTable.NONE && before) {
                first = i;
            }
        }
        return first;
    }
}
