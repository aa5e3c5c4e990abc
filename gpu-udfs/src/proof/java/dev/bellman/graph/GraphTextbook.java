package dev.bellman.graph;

import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.proof.Leeway;
import dev.bellman.proof.Values;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Computes the lengths of shortest paths with the three loops of the Floyd-Warshall algorithm, and next vertices as
 * documented.
 */
final class GraphTextbook {
    /**
     * The leeway for JOHNSON, which supports only integer weights, and for DIJKSTRA, which supports only nonnegative
     * integer weights.
     */
    static final Leeway LEEWAY = new Leeway() {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean isLimited(Enum<?> strategy) {
            return strategy == Strategy.JOHNSON || strategy == Strategy.DIJKSTRA;
        }

        @Override
        public boolean serves(Enum<?> strategy, InternalRow arguments) {
            return switch ((Strategy) strategy) {
                case AUTO, FLOYD_WARSHALL, R_WAY, BLOCKED -> true;
                case JOHNSON -> weights(arguments).allMatch(Long.class::isInstance);
                case DIJKSTRA -> weights(arguments).allMatch(weight -> weight instanceof Long number && number >= 0);
            };
        }

        /** Returns the weights that are not NULL. */
        private java.util.stream.Stream<Object> weights(InternalRow arguments) {
            ArrayData edges = arguments.isNullAt(1) ? Values.arrayOf() : arguments.getArray(1);
            return IntStream.range(0, edges.numElements())
                    .filter(e -> !edges.isNullAt(e))
                    .mapToObj(e -> ((GenericInternalRow) edges.getStruct(e, 3)).genericGet(2))
                    .filter(weight -> weight != null);
        }
    };

    private GraphTextbook() {}

    static Object lengthsOfLongs(InternalRow arguments) {
        BigInteger[][] lengths = lengths(weightsOfLongs(arguments));
        return rows(lengths.length, (i, j) -> {
            if (lengths[i][j] != null && lengths[i][j].bitLength() > 63) {
                throw Values.overflow();
            }
            return lengths[i][j] == null ? null : lengths[i][j].longValueExact();
        });
    }

    static Object lengthsOfDoubles(InternalRow arguments) {
        double[][] lengths = lengths(weightsOfDoubles(arguments));
        return rows(lengths.length, (i, j) -> lengths[i][j] == Double.POSITIVE_INFINITY ? null : lengths[i][j]);
    }

    private interface Element {
        Object at(int i, int j);
    }

    private static ArrayData rows(int nodes, Element element) {
        return Values.arrayOf(IntStream.range(0, nodes)
                .mapToObj(i -> Values.arrayOf(IntStream.range(0, nodes)
                        .mapToObj(j -> element.at(i, j))
                        .toArray()))
                .toArray());
    }

    /** Returns the weight of the lightest edge between every two vertices; null if there is no edge. */
    private static BigInteger[][] weightsOfLongs(InternalRow arguments) {
        int nodes = checkedNodes(arguments);
        ArrayData edges = arguments.getArray(1);
        BigInteger[][] weights = new BigInteger[nodes][nodes];
        for (int e = 0; e < edges.numElements(); e++) {
            InternalRow edge = edges.getStruct(e, 3);
            BigInteger[] row = weights[edge.getInt(0)];
            int target = edge.getInt(1);
            BigInteger weight = BigInteger.valueOf(edge.getLong(2));
            row[target] = row[target] == null ? weight : row[target].min(weight);
        }
        return weights;
    }

    /** Does the same as {@link #weightsOfLongs}, but represents a missing edge by infinity. */
    private static double[][] weightsOfDoubles(InternalRow arguments) {
        int nodes = checkedNodes(arguments);
        ArrayData edges = arguments.getArray(1);
        double[][] weights = new double[nodes][nodes];
        for (double[] row : weights) {
            Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
        for (int e = 0; e < edges.numElements(); e++) {
            InternalRow edge = edges.getStruct(e, 3);
            double weight = edge.getDouble(2);
            if (Double.isNaN(weight) || Math.abs(weight) > 1e288) {
                throw Values.invalid();
            }
            double[] row = weights[edge.getInt(0)];
            row[edge.getInt(1)] = Math.min(row[edge.getInt(1)], weight + 0.0);
        }
        return weights;
    }

    private static int checkedNodes(InternalRow arguments) {
        int nodes = arguments.getInt(0);
        ArrayData edges = arguments.getArray(1);
        if (nodes < 0) {
            throw Values.invalid();
        }
        for (int e = 0; e < edges.numElements(); e++) {
            if (edges.isNullAt(e) || edges.getStruct(e, 3).anyNull()) {
                throw Values.invalid();
            }
            InternalRow edge = edges.getStruct(e, 3);
            if (Math.min(edge.getInt(0), edge.getInt(1)) < 0 || Math.max(edge.getInt(0), edge.getInt(1)) >= nodes) {
                throw Values.invalid();
            }
        }
        return nodes;
    }

    private static BigInteger[][] lengths(BigInteger[]... weights) {
        int n = weights.length;
        BigInteger[][] d = new BigInteger[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                d[i][j] = i == j ? least(BigInteger.ZERO, weights[i][j]) : weights[i][j];
            }
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    if (d[i][k] != null && d[k][j] != null) {
                        d[i][j] = least(d[i][k].add(d[k][j]), d[i][j]);
                    }
                }
            }
        }
        for (int i = 0; i < n; i++) {
            if (d[i][i].signum() < 0) {
                throw Values.invalid();
            }
        }
        return d;
    }

    private static BigInteger least(BigInteger known, BigInteger other) {
        return other == null ? known : known.min(other);
    }

    /**
     * Returns the path lengths. A path counts as shorter only if the difference exceeds a margin, which
     * {@code DoubleDistances} explains.
     */
    private static double[][] lengths(double[]... weights) {
        int n = weights.length;
        double least =
                Arrays.stream(weights).flatMapToDouble(Arrays::stream).min().orElse(0);
        double margin = least < 0 ? 0x1p-50 * n * n * -least : 0;
        double[][] d = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                d[i][j] = i == j ? Math.min(0, weights[i][j]) : weights[i][j];
            }
        }
        for (int k = 0; k < n; k++) {
            if (d[k][k] < 0) {
                throw Values.invalid();
            }
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    if (d[i][k] + (d[k][j] + margin) < d[i][j]) {
                        d[i][j] = d[i][k] + d[k][j];
                    }
                }
            }
        }
        for (int i = 0; i < n; i++) {
            d[i][i] = 0;
        }
        return d;
    }

    /**
     * Finds next vertices that lead to shortest paths with the fewest edges, using the minimum weights of paths with
     * each exact number of edges.
     */
    static Object nextOfLongs(InternalRow arguments) {
        BigInteger[][] w = weightsOfLongs(arguments);
        BigInteger[][] d = lengths(w);
        int n = w.length;
        int[][] edges = new int[n][n];
        BigInteger[][] exactly = new BigInteger[n][n];
        for (int i = 0; i < n; i++) {
            exactly[i][i] = BigInteger.ZERO;
        }
        for (int count = 1; count < n; count++) {
            BigInteger[][] longer = new BigInteger[n][n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    for (int v = 0; v < n; v++) {
                        if (w[i][v] != null && exactly[v][j] != null) {
                            longer[i][j] = least(w[i][v].add(exactly[v][j]), longer[i][j]);
                        }
                    }
                    if (i != j && edges[i][j] == 0 && longer[i][j] != null && longer[i][j].equals(d[i][j])) {
                        edges[i][j] = count;
                    }
                }
            }
            exactly = longer;
        }
        return rows(
                n,
                (i, j) -> i == j || d[i][j] == null
                        ? null
                        : IntStream.range(0, n)
                                .filter(v -> v != i && w[i][v] != null && d[v][j] != null)
                                .filter(v -> w[i][v].add(d[v][j]).equals(d[i][j]))
                                .filter(v -> edges[v][j] == edges[i][j] - 1)
                                .findFirst()
                                .orElseThrow());
    }

    /** Grows the trees of {@link ShortestPaths}, considering all edges into the tree in each step. */
    static Object nextOfDoubles(InternalRow arguments) {
        double[][] w = weightsOfDoubles(arguments);
        double[][] d = lengths(w);
        int n = w.length;
        Integer[][] next = new Integer[n][n];
        for (int target = 0; target < n; target++) {
            Integer[] edges = new Integer[n];
            edges[target] = 0;
            while (true) {
                int joining = -1;
                int by = -1;
                double least = Double.POSITIVE_INFINITY;
                for (int i = 0; i < n; i++) {
                    for (int v = 0; v < n; v++) {
                        if (edges[i] == null && edges[v] != null && w[i][v] != Double.POSITIVE_INFINITY) {
                            double slack = Math.max(0, w[i][v] + d[v][target] - d[i][target]);
                            if (slack < least || slack == least && edges[v] < edges[by]) {
                                joining = i;
                                by = v;
                                least = slack;
                            }
                        }
                    }
                }
                if (joining < 0) {
                    break;
                }
                edges[joining] = edges[by] + 1;
                next[joining][target] = by;
            }
        }
        return rows(n, (i, j) -> next[i][j]);
    }
}
