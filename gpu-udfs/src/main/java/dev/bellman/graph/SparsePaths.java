package dev.bellman.graph;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Runs Dijkstra's algorithm from each vertex, after Johnson's reweighting if some weights are negative. The keys are
 * those of {@link ShortestPaths} without next vertices, which are found afterwards among the tied paths.
 */
public final class SparsePaths {
    private final Graph graph;
    private final int bits;
    /** The weights of the edges, or their keys without next vertices; all are non-negative. */
    private final long[] weights;
    /**
     * Johnson's potentials, indexed by vertex: the algorithm uses {@code potentials[i] + w(i, j) - potentials[j]} as
     * the weight of an edge.
     */
    private final long[] potentials;

    private final long[] lengths;
    private final int[] next;
    private final Heap heap;
    private final Cancellation cancellation = new Cancellation();

    /**
     * Derives non-negative weights if some weights are negative.
     *
     * @param graph a graph for which {@link ShortestPaths#plan} returns a strategy that uses Dijkstra's algorithm
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there is a negative cycle
     */
    public SparsePaths(Graph graph, boolean withNext) {
        this.graph = graph;
        int n = graph.nodes;
        bits = withNext ? LongTable.bits(n) : 0;
        weights = new long[graph.edges()];
        for (int e = 0; e < weights.length; e++) {
            weights[e] = LongTable.ofEdge(graph, e, bits) >> bits;
        }
        potentials = new long[n];
        if (graph.hasNegativeWeights()) {
            raise();
        }
        lengths = new long[n];
        next = new int[n];
        heap = new Heap(lengths);
    }

    static LongTable solve(Graph graph, boolean withNext) {
        SparsePaths paths = new SparsePaths(graph, withNext);
        long[][] cells = new long[graph.nodes][];
        for (int i = 0; i < graph.nodes; i++) {
            cells[i] = paths.row(i);
        }
        return new LongTable(paths.bits, cells);
    }

    /** Returns the paths from one vertex, as a table with a single row, {@code from = 0}. */
    public PathTable from(int source) {
        return new LongTable(bits, row(source));
    }

    /**
     * Makes all weights non-negative with potentials from the Bellman-Ford algorithm, which starts from an additional
     * vertex with edges of weight 0 to all other vertices.
     */
    private void raise() {
        int n = graph.nodes;
        int[] before = new int[n];
        Arrays.fill(before, PathTable.NONE);
        // a walk whose length is below this goes around a negative cycle, and its length would soon overflow 64 bits
        long shortest = n * Arrays.stream(weights).min().orElse(0);
        int changed = 0;
        for (int round = 0; changed != PathTable.NONE; round++) {
            changed = PathTable.NONE;
            cancellation.count(n + weights.length);
            for (int i = 0; i < n; i++) {
                for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                    int j = graph.targets[e];
                    long length = potentials[i] + weights[e];
                    if (length < potentials[j]) {
                        potentials[j] = length;
                        before[j] = i;
                        changed = j;
                        if (length < shortest || round == n) {
                            throw graph.negativeCycle(onCycle(j, before));
                        }
                    }
                }
            }
        }
        for (int i = 0; i < n; i++) {
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                weights[e] += potentials[i] - potentials[graph.targets[e]];
            }
        }
    }

    /**
     * Returns a vertex on the cycle that the walk back from {@code vertex} enters within {@code before.length} steps.
     */
    private static int onCycle(int vertex, int... before) {
        int at = vertex;
        for (int step = 0; step < before.length; step++) {
            at = before[at];
        }
        return at;
    }

    /** Returns the cells of a {@link LongTable} for the paths from a vertex. */
    private long[] row(int source) {
        cancellation.count(lengths.length + weights.length);
        Arrays.fill(lengths, LongTable.UNREACHED);
        lengths[source] = 0;
        heap.lower(source);
        while (!heap.isEmpty()) {
            int i = heap.removeLeast();
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                int j = graph.targets[e];
                long length = lengths[i] + weights[e];
                if (length < lengths[j]) {
                    lengths[j] = length;
                    heap.lower(j);
                }
            }
        }
        long[] row = new long[lengths.length];
        for (int j = 0; j < row.length; j++) {
            row[j] = lengths[j] == LongTable.UNREACHED
                    ? LongTable.UNREACHED
                    : lengths[j] - potentials[source] + potentials[j];
        }
        if (bits > 0) {
            addNext(source, row);
        }
        return row;
    }

    /**
     * Converts path lengths and numbers of edges to path keys. A vertex is processed after the other vertices on its
     * paths, which have fewer edges.
     */
    private void addNext(int source, long... row) {
        int n = row.length;
        long edges = (1L << bits) - 1;
        int[] order = Graph.order(
                n,
                IntStream.range(0, n)
                        .map(j -> lengths[j] == LongTable.UNREACHED ? 0 : (int) (row[j] & edges))
                        .toArray());
        Arrays.fill(next, Integer.MAX_VALUE);
        for (int i : order) {
            if (lengths[i] != LongTable.UNREACHED) {
                for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                    int j = graph.targets[e];
                    if (lengths[i] + weights[e] == lengths[j]) {
                        next[j] = Math.min(next[j], i == source ? j : next[i]);
                    }
                }
            }
        }
        for (int j = 0; j < n; j++) {
            if (lengths[j] != LongTable.UNREACHED) {
                row[j] = j == source ? 0 : (row[j] << bits) + next[j];
            }
        }
    }

    /**
     * A heap of the vertices that have been reached but are not finished, ordered by length. Each node has up to four
     * children.
     */
    private static final class Heap {
        private static final int ARITY = 4;
        private static final int OUTSIDE = -1;

        private final long[] keys;
        private final int[] vertices;
        private final int[] places;
        private int count;

        Heap(long... keys) {
            this.keys = keys;
            vertices = new int[keys.length];
            places = new int[keys.length];
            Arrays.fill(places, OUTSIDE);
        }

        boolean isEmpty() {
            return count == 0;
        }

        /** Inserts a vertex, or moves it up after its key has decreased. */
        void lower(int vertex) {
            int place = places[vertex] == OUTSIDE ? count++ : places[vertex];
            while (place > 0) {
                int above = (place - 1) / ARITY;
                if (keys[vertices[above]] <= keys[vertex]) {
                    break;
                }
                put(vertices[above], place);
                place = above;
            }
            put(vertex, place);
        }

        int removeLeast() {
            int least = vertices[0];
            places[least] = OUTSIDE;
            count--;
            if (count > 0) {
                sink(vertices[count]);
            }
            return least;
        }

        private void sink(int vertex) {
            int place = 0;
            while (true) {
                int below = place * ARITY + 1;
                int end = Math.min(below + ARITY, count);
                int best = below;
                for (int other = below + 1; other < end; other++) {
                    best = keys[vertices[other]] < keys[vertices[best]] ? other : best;
                }
                if (below >= count || keys[vertices[best]] >= keys[vertex]) {
                    break;
                }
                put(vertices[best], place);
                place = best;
            }
            put(vertex, place);
        }

        private void put(int vertex, int place) {
            vertices[place] = vertex;
            places[vertex] = place;
        }
    }
}
