package dev.bellman.graph;

import dev.bellman.proof.Values;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates graphs with no, few or many edges, some of which are parallel or loops. In rings, grids and layers, many
 * paths tie. Weights tie, form cycles of weight 0, are negative with or without negative cycles, or are near a type's
 * limit. Some rows contain values that must be rejected.
 */
final class GraphInstances {
    private static final int REJECTED = 300;

    private static final int SHAPES = 6;

    private GraphInstances() {}

    /** Draws {@code (vertex_count, edges)} with BIGINT weights. */
    static InternalRow longs(SplittableRandom random, int size) {
        return row(random, size, false);
    }

    /** Draws {@code (vertex_count, edges)} with DOUBLE weights. */
    static InternalRow doubles(SplittableRandom random, int size) {
        return row(random, size, true);
    }

    private static InternalRow row(SplittableRandom random, int size, boolean doubles) {
        int nodes = Values.size(random, size);
        int[][] ends = nodes == 0 ? new int[0][] : ends(random, nodes);
        Object[] edges = new Object[ends.length];
        Weights weights = new Weights(random, nodes, doubles);
        for (int e = 0; e < edges.length; e++) {
            edges[e] = Values.row(ends[e][0], ends[e][1], weights.of(ends[e][0], ends[e][1]));
        }
        if (edges.length > 0) {
            spoil(random, edges, nodes, doubles);
        }
        int given = random.nextInt(REJECTED) == 0 ? -1 - random.nextInt(3) : nodes;
        ArrayData array = Values.arrayOf(edges);
        return Values.row(
                Values.sometimesNull(random, given),
                Values.sometimesNull(
                        random, array, GraphFunctions.edge(doubles ? DataTypes.DoubleType : DataTypes.LongType)));
    }

    /** Draws the endpoints of the edges. */
    private static int[][] ends(SplittableRandom random, int nodes) {
        int shape = random.nextInt(SHAPES);
        int count =
                switch (shape) {
                    case 0 -> random.nextInt(nodes + 1);
                    case 1 -> random.nextInt(4 * nodes + 1);
                    case 2 -> (int) Math.min((long) nodes * nodes, 40_000);
                    default -> 2 * nodes;
                };
        int width = 1 + (int) Math.sqrt(nodes);
        int[][] ends = new int[count][];
        for (int e = 0; e < count; e++) {
            int from = random.nextInt(nodes);
            int to =
                    switch (shape) {
                        // edges of a ring, most of which have the same direction
                        case 3 -> (from + (random.nextInt(8) == 0 ? nodes - 1 : 1)) % nodes;
                        // edges of a grid
                        case 4 -> Math.min(nodes - 1, from + (random.nextBoolean() ? 1 : width));
                        // edges from one layer to the next
                        case 5 -> Math.min(nodes - 1, (from / 3 + 1) * 3 + random.nextInt(3));
                        default -> random.nextInt(nodes);
                    };
            ends[e] = new int[] {from, to};
        }
        return ends;
    }

    /** Draws the weights of a graph's edges. */
    private static final class Weights {
        private final SplittableRandom random;
        private final boolean doubles;
        private final int kind;
        private final long most;
        private final long[] heights;
        /** Whether all cycles have weight 0; used only for kind 1. */
        private final boolean level;
        /** The number by which integers are divided to obtain DOUBLE weights. */
        private final double units;

        Weights(SplittableRandom random, int nodes, boolean doubles) {
            this.random = random;
            this.doubles = doubles;
            kind = random.nextInt(5);
            // if this limit is drawn, intermediate or final sums come near the limit of a type that kernels use
            int bits = Values.oneOf(random, 28, 44, 51, 60, 63);
            long limit = (long) (StrictMath.pow(2, bits) / (nodes + 1) * (0.5 + random.nextDouble()));
            most = Math.max(1, Values.oneOf(random, 1L, 2L, 100L, 100_000L, limit, Long.MAX_VALUE / 2));
            heights = Values.longs(random, nodes, 0, most / 2);
            level = random.nextInt(3) == 0;
            units = Values.oneOf(random, 10.0, 100.0, 1_000.0, 7.0);
        }

        Object of(int from, int to) {
            long weight =
                    switch (kind) {
                        // ties, and edges of weight 0
                        case 0 -> random.nextInt(3);
                        // never a negative cycle, often a cycle of weight 0
                        case 1 ->
                            (level || random.nextBoolean() ? 0 : random.nextLong(most / 2 + 1))
                                    + (from == to ? 0 : heights[from] - heights[to]);
                        // sometimes a negative cycle
                        case 2 -> random.nextLong(most) - (random.nextInt(2 * heights.length) == 0 ? most / 2 : 0);
                        default -> random.nextLong(most) + 1;
                    };
            if (!doubles) {
                return weight;
            }
            return switch (kind) {
                // fractions, whose sums are rounded
                case 0, 1, 2 -> weight / units;
                case 3 -> random.nextDouble();
                // all magnitudes
                default -> StrictMath.scalb(random.nextDouble(), random.nextInt(1_800) - 900);
            };
        }
    }

    private static void spoil(SplittableRandom random, Object[] edges, int nodes, boolean doubles) {
        int at = random.nextInt(edges.length);
        InternalRow edge = (InternalRow) edges[at];
        Object weight = edge.get(2, doubles ? DataTypes.DoubleType : DataTypes.LongType);
        switch (random.nextInt(REJECTED / 2)) {
            case 0 -> edges[at] = null;
            case 1 -> edges[at] = Values.row(null, edge.getInt(1), weight);
            case 2 -> edges[at] = Values.row(edge.getInt(0), edge.getInt(1), null);
            case 3 ->
                edges[at] = Values.row(Values.oneOf(random, -1, nodes, Integer.MAX_VALUE), edge.getInt(1), weight);
            case 4 ->
                edges[at] = Values.row(edge.getInt(0), Values.oneOf(random, -1, nodes, Integer.MIN_VALUE), weight);
            case 5, 6 -> edges[at] = Values.row(edge.getInt(0), edge.getInt(1), special(random, doubles));
            default -> {}
        }
    }

    private static Object special(SplittableRandom random, boolean doubles) {
        return doubles
                ? (Object) Values.oneOf(
                        random,
                        -0.0,
                        Double.NaN,
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY,
                        1e288,
                        2e288,
                        -1e300)
                : (Object) Values.oneOf(random, Long.MAX_VALUE, Long.MIN_VALUE, -1L);
    }
}
