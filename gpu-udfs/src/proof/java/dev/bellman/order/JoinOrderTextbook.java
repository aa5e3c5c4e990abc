package dev.bellman.order;

import static dev.bellman.proof.Values.invalid;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines {@code join_order}: tries every tree over every set of relations, and solves each set once. */
final class JoinOrderTextbook {
    private record Edge(int source, int target, double selectivity) {}

    private record Tree(double cost, String text) {}

    private final double[] cardinalities;
    private final List<Edge> edges;
    private final Map<Integer, Tree> trees = new HashMap<>();

    private JoinOrderTextbook(double[] cardinalities, List<Edge> edges) {
        this.cardinalities = cardinalities;
        this.edges = edges;
    }

    static Object solve(InternalRow row) {
        ArrayData cardinalities = row.getArray(0);
        ArrayData structs = row.getArray(1);
        int n = cardinalities.numElements();
        require(n > 0 && !Values.hasNull(cardinalities) && !Values.hasNull(structs));
        for (double cardinality : cardinalities.toDoubleArray()) {
            require(cardinality > 0 && cardinality < Double.POSITIVE_INFINITY);
        }
        List<Edge> edges = new ArrayList<>();
        for (int e = 0; e < structs.numElements(); e++) {
            InternalRow struct = structs.getStruct(e, 3);
            require(!struct.isNullAt(0) && !struct.isNullAt(1) && !struct.isNullAt(2));
            Edge edge = new Edge(struct.getInt(0), struct.getInt(1), struct.getDouble(2));
            require(edge.source >= 0 && edge.source < n && edge.target >= 0 && edge.target < n);
            require(edge.source != edge.target && edge.selectivity > 0 && edge.selectivity <= 1);
            edges.add(edge);
        }
        Tree best = new JoinOrderTextbook(cardinalities.toDoubleArray(), edges).tree((1 << n) - 1);
        require(best.cost < Double.POSITIVE_INFINITY);
        return Values.row(best.cost, UTF8String.fromString(best.text));
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw invalid();
        }
    }

    /** Returns the best tree for a set of relations. If there is no tree, the cost is infinite. */
    private Tree tree(int set) {
        Tree known = trees.get(set);
        if (known != null) {
            return known;
        }
        Tree best = new Tree(Double.POSITIVE_INFINITY, "");
        if (Integer.bitCount(set) == 1) {
            best = new Tree(0, Integer.toString(Integer.numberOfTrailingZeros(set)));
        }
        double rows = rows(set);
        // tries, in ascending order, the parts that contain the set's lowest-numbered relation
        for (int part = set & -set; part != set; part = part - set & set | set & -set) {
            int a = part;
            int b = set & ~a;
            if (edges.stream().anyMatch(edge -> joins(edge, a, b))) {
                double cost = tree(a).cost + tree(b).cost + rows;
                if (cost < best.cost) {
                    best = new Tree(cost, "(%s %s)".formatted(tree(a).text, tree(b).text));
                }
            }
        }
        trees.put(set, best);
        return best;
    }

    private static boolean joins(Edge edge, int a, int b) {
        return has(a, edge.source) && has(b, edge.target) || has(b, edge.source) && has(a, edge.target);
    }

    private static boolean has(int set, int relation) {
        return (set >> relation & 1) == 1;
    }

    /**
     * Returns the row count, computed by multiplying relation by relation, each with its edges to earlier relations.
     */
    private double rows(int set) {
        double rows = 1;
        for (int r = 0; r < cardinalities.length; r++) {
            if (has(set, r)) {
                rows *= cardinalities[r];
                for (Edge edge : edges) {
                    boolean isLast = Math.max(edge.source, edge.target) == r;
                    rows *= isLast && has(set, Math.min(edge.source, edge.target)) ? edge.selectivity : 1;
                }
            }
        }
        return rows;
    }
}
