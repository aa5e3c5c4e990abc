package dev.bellman.order;

import static dev.bellman.proof.Values.require;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines {@code join_order}: tries every tree over every set of relations, and solves each set once. If there are more
 * relations than {@code block_size}, a greedy tree is improved block by block.
 */
final class JoinOrderTextbook {
    private record Edge(int source, int target, double selectivity) {}

    /** A tree over a set of relations; its children are null if it is a single relation. */
    private record Tree(int set, double cost, Tree left, Tree right) {
        boolean isInner() {
            return left != null;
        }

        String text() {
            return isInner()
                    ? "(%s %s)".formatted(left.text(), right.text())
                    : Integer.toString(Integer.numberOfTrailingZeros(set));
        }
    }

    private static final Tree NONE = new Tree(0, Double.POSITIVE_INFINITY, null, null);

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
        JoinOrderTextbook textbook = new JoinOrderTextbook(cardinalities.toDoubleArray(), edges);
        require(textbook.tree((1 << n) - 1) != NONE && row.getInt(2) >= 2);
        Tree best = row.getInt(2) < n ? textbook.improved(row.getInt(2)) : textbook.tree((1 << n) - 1);
        require(best.cost < Double.POSITIVE_INFINITY);
        return Values.row(best.cost, UTF8String.fromString(best.text()));
    }

    /** Returns the best tree for a set of relations. If there is no tree, the cost is infinite. */
    private Tree tree(int set) {
        Tree known = trees.get(set);
        if (known != null) {
            return known;
        }
        Tree best = Integer.bitCount(set) == 1 ? new Tree(set, 0, null, null) : NONE;
        double rows = rows(set);
        // tries, in ascending order, the parts that contain the set's lowest-numbered relation
        for (int part = set & -set; part != set; part = part - set & set | set & -set) {
            int a = part;
            int b = set & ~a;
            if (edges.stream().anyMatch(edge -> joins(edge, a, b))) {
                double cost = tree(a).cost + tree(b).cost + rows;
                if (cost < best.cost) {
                    best = new Tree(set, cost, tree(a), tree(b));
                }
            }
        }
        trees.put(set, best);
        return best;
    }

    /**
     * Improves a greedy tree: repeatedly replaces the most expensive subtree that fits in a block with the cheapest
     * tree, which then counts as a leaf.
     */
    private Tree improved(int blockSize) {
        Tree tree = greedy();
        Set<Integer> leaves = new HashSet<>();
        for (int r = 0; r < cardinalities.length; r++) {
            leaves.add(1 << r);
        }
        while (!leaves.contains(tree.set)) {
            Tree block = null;
            for (Tree each : inner(tree)) {
                if (!leaves.contains(each.set)
                        && leavesOf(each, leaves).size() <= blockSize
                        && (block == null || isBefore(each, block))) {
                    block = each;
                }
            }
            List<Tree> parts = leavesOf(block, leaves);
            parts.sort(Comparator.comparing(part -> part.set & -part.set));
            tree = replace(tree, block.set, expand(blockOf(parts).tree((1 << parts.size()) - 1), parts));
            leaves.add(block.set);
        }
        return tree;
    }

    private static boolean isBefore(Tree a, Tree b) {
        if (a.cost != b.cost) {
            return a.cost > b.cost;
        }
        int more = Integer.bitCount(a.set) - Integer.bitCount(b.set);
        return more > 0 || more == 0 && a.set < b.set;
    }

    private Tree greedy() {
        Map<Integer, Tree> parts = new TreeMap<>();
        for (int r = 0; r < cardinalities.length; r++) {
            parts.put(r, new Tree(1 << r, 0, null, null));
        }
        while (parts.size() > 1) {
            Tree best = null;
            for (Tree a : parts.values()) {
                for (Tree b : parts.values()) {
                    boolean isPair = (a.set & -a.set) < (b.set & -b.set)
                            && edges.stream().anyMatch(edge -> joins(edge, a.set, b.set));
                    if (isPair && (best == null || rows(a.set | b.set) < rows(best.set))) {
                        best = join(a, b);
                    }
                }
            }
            parts.put(Integer.numberOfTrailingZeros(best.left.set), best);
            parts.remove(Integer.numberOfTrailingZeros(best.right.set));
        }
        return parts.get(0);
    }

    private Tree join(Tree a, Tree b) {
        return new Tree(a.set | b.set, a.cost + b.cost + rows(a.set | b.set), a, b);
    }

    private static List<Tree> inner(Tree tree) {
        List<Tree> found = new ArrayList<>();
        if (tree.isInner()) {
            found.add(tree);
            found.addAll(inner(tree.left));
            found.addAll(inner(tree.right));
        }
        return found;
    }

    private static List<Tree> leavesOf(Tree tree, Set<Integer> leaves) {
        if (leaves.contains(tree.set)) {
            return new ArrayList<>(List.of(tree));
        }
        List<Tree> found = leavesOf(tree.left, leaves);
        found.addAll(leavesOf(tree.right, leaves));
        return found;
    }

    /**
     * Returns the problem whose relations are the given trees. Its edges are in ascending order of their
     * higher-numbered original relations.
     */
    private JoinOrderTextbook blockOf(List<Tree> parts) {
        List<Edge> between = new ArrayList<>();
        for (int r = 0; r < cardinalities.length; r++) {
            for (Edge edge : edges) {
                int source = partOf(parts, edge.source);
                int target = partOf(parts, edge.target);
                if (Math.max(edge.source, edge.target) == r && source >= 0 && target >= 0 && source != target) {
                    between.add(new Edge(source, target, edge.selectivity));
                }
            }
        }
        return new JoinOrderTextbook(
                parts.stream().mapToDouble(part -> rows(part.set)).toArray(), between);
    }

    private static int partOf(List<Tree> parts, int relation) {
        for (int i = 0; i < parts.size(); i++) {
            if (has(parts.get(i).set, relation)) {
                return i;
            }
        }
        return -1;
    }

    private Tree expand(Tree tree, List<Tree> parts) {
        require(tree != NONE);
        return tree.isInner()
                ? join(expand(tree.left, parts), expand(tree.right, parts))
                : parts.get(Integer.numberOfTrailingZeros(tree.set));
    }

    private Tree replace(Tree tree, int set, Tree by) {
        if (tree.set == set) {
            return by;
        }
        return (tree.set & set) == set ? join(replace(tree.left, set, by), replace(tree.right, set, by)) : tree;
    }

    private static boolean joins(Edge edge, int a, int b) {
        return has(a, edge.source) && has(b, edge.target) || has(b, edge.source) && has(a, edge.target);
    }

    private static boolean has(int set, int relation) {
        return (set >> relation & 1) == 1;
    }

    /**
     * Computes the row count by multiplying, relation by relation, the relation's row count and the selectivities of
     * its edges to earlier relations.
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
