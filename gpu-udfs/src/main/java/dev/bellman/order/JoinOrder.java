package dev.bellman.order;

import dev.bellman.BellmanException;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Finds the cheapest join tree without cross products, that is, the tree with the minimum total row count of all joins.
 *
 * <pre>{@code
 * cost(S) = (min over S = A + B, both connected, with an edge between, of cost(A) + cost(B)) + rows(S)
 * }</pre>
 *
 * <p>{@code A} is the subset that contains the lowest-numbered relation. Ties: the {@code A} whose bit set, read as a
 * number, is the smallest wins.
 *
 * <p>{@code auto} enumerates exactly these pairs, using DPccp by Moerkotte and Neumann, Analysis of two existing and
 * one new dynamic programming algorithm for the generation of optimal bushy join trees without cross products, 2006.
 * Connected sets whose lowest relation is {@code i} come after sets whose relations are all higher, and each set comes
 * after its connected parts.
 */
public final class JoinOrder {
    /** Both strategies return the same tree. */
    public enum Strategy {
        /** Tries only pairs of connected sets. */
        AUTO,
        /** Tries all subsets of all sets. */
        SERIAL
    }

    /** The number of bytes per set, which has a row count, a cost and a part. */
    private static final int BYTES_OF_A_SET = 2 * Double.BYTES + Integer.BYTES;

    private final JoinGraph graph;
    private final double[] rows;
    private final double[] costs;
    /** For each set, the part of its best split that contains the lowest-numbered relation. */
    private final int[] parts;

    private final Cancellation cancellation = new Cancellation();

    private JoinOrder(JoinGraph graph) {
        this.graph = graph;
        TaskMemory.take((long) BYTES_OF_A_SET << graph.relations(), () -> "the table for the sets of %d relations"
                .formatted(graph.relations()));
        rows = graph.rows();
        costs = new double[rows.length];
        parts = new int[rows.length];
        Arrays.fill(costs, Double.POSITIVE_INFINITY);
        for (int r = 0; r < graph.relations(); r++) {
            costs[1 << r] = 0;
        }
    }

    /** A tree as nested pairs of relation numbers. */
    record Tree(double cost, String text) {}

    static Tree solve(JoinGraph graph, Strategy strategy) {
        JoinOrder order = new JoinOrder(graph);
        if (strategy == Strategy.SERIAL) {
            order.trySubsets();
        } else {
            order.tryPairs();
        }
        double cost = order.costs[graph.all()];
        if (cost == Double.POSITIVE_INFINITY) {
            throw BellmanException.inRow(
                    "join_order", "the cost exceeds the range of DOUBLE; use smaller cardinalities");
        }
        StringBuilder text = new StringBuilder();
        order.write(graph.all(), text);
        return new Tree(cost, text.toString());
    }

    private void trySubsets() {
        boolean[] connected = new boolean[rows.length];
        for (int set = 1; set < rows.length; set++) {
            int least = set & -set;
            connected[set] = set == least;
            cancellation.count(1L << Integer.bitCount(set));
            // try all subsets without the lowest-numbered relation
            for (int b = set & ~least; b != 0; b = b - 1 & set & ~least) {
                int a = set & ~b;
                if (connected[a] && connected[b] && (graph.neighbours(a) & b) != 0) {
                    connected[set] = true;
                    join(a, b);
                }
            }
        }
    }

    private void tryPairs() {
        for (int i = graph.relations() - 1; i >= 0; i--) {
            int least = 1 << i;
            joinWithOthers(least);
            grow(least, 2 * least - 1, true, 0);
        }
    }

    /** Extends a set with neighbours outside an excluded set, and passes on each resulting set. */
    private void grow(int set, int outside, boolean first, int other) {
        int neighbours = graph.neighbours(set) & ~outside;
        for (int more = -neighbours & neighbours; more != 0; more = more - neighbours & neighbours) {
            if (first) {
                joinWithOthers(set | more);
            } else {
                join(other, set | more);
            }
        }
        for (int more = -neighbours & neighbours; more != 0; more = more - neighbours & neighbours) {
            grow(set | more, outside | neighbours, first, other);
        }
    }

    /**
     * Joins a connected set with each disjoint connected set that shares an edge with it and whose relations all have
     * higher numbers than the first set's lowest-numbered relation.
     */
    private void joinWithOthers(int a) {
        int least = a & -a;
        int outside = 2 * least - 1 | a;
        int neighbours = graph.neighbours(a) & ~outside;
        for (int rest = neighbours; rest != 0; ) {
            int b = Integer.highestOneBit(rest);
            rest &= ~b;
            join(a, b);
            grow(b, outside | 2 * b - 1 & neighbours, false, a);
        }
    }

    private void join(int a, int b) {
        cancellation.count(8);
        int set = a | b;
        double cost = costs[a] + costs[b] + rows[set];
        if (cost < costs[set] || cost == costs[set] && a < parts[set]) {
            costs[set] = cost;
            parts[set] = a;
        }
    }

    private void write(int set, StringBuilder text) {
        if ((set & set - 1) == 0) {
            text.append(Integer.numberOfTrailingZeros(set));
            return;
        }
        text.append('(');
        write(parts[set], text);
        text.append(' ');
        write(set & ~parts[set], text);
        text.append(')');
    }
}
