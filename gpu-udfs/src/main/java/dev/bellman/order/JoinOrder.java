package dev.bellman.order;

import dev.bellman.columns.Cancellation;

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
 * <p>{@code auto} enumerates exactly the pairs of such {@code A} and {@code B}, using DPccp by Moerkotte and Neumann,
 * "Analysis of two existing and one new dynamic programming algorithm for the generation of optimal bushy join trees
 * without cross products" (2006). Connected sets whose lowest relation is {@code i} come after sets whose relations are
 * all higher, and each set comes after its connected parts.
 */
public final class JoinOrder {
    /** Both strategies return the same tree. */
    public enum Strategy {
        /** Tries only pairs of connected sets. */
        AUTO,
        /** Tries all subsets of all sets. */
        SERIAL
    }

    private final JoinGraph graph;
    private final JoinSets sets;
    private final double[] costs;
    private final Cancellation cancellation = new Cancellation();

    private JoinOrder(JoinGraph graph, JoinSets sets) {
        this.graph = graph;
        this.sets = sets;
        costs = sets.costs;
        for (int r = 0; r < graph.relations(); r++) {
            costs[sets.indexOf(1L << r)] = 0;
        }
    }

    /**
     * A join tree.
     *
     * @param sets the number of sets of relations in the table, or in the tables of all blocks
     */
    record Solution(JoinTree tree, int sets) {}

    /** @param isBlock whether the graph's relations are the subtrees of a block */
    static Solution solve(JoinGraph graph, Strategy strategy, boolean isBlock) {
        boolean isSerial = strategy == Strategy.SERIAL;
        JoinOrder order =
                new JoinOrder(graph, isSerial ? JoinSets.ofAll(graph, isBlock) : JoinSets.ofConnected(graph, isBlock));
        if (isSerial) {
            order.trySubsets();
        } else {
            order.tryPairs();
        }
        if (order.costs[order.sets.indexOf(graph.all())] == Double.POSITIVE_INFINITY) {
            throw JoinGraph.tooExpensive();
        }
        return new Solution(order.tree(graph.all()), order.sets.size());
    }

    private void trySubsets() {
        boolean[] connected = new boolean[costs.length];
        for (int set = 1; set < costs.length; set++) {
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
            long least = 1L << i;
            joinWithOthers(least);
            grow(least, 2 * least - 1, true, 0);
        }
    }

    /**
     * Extends a connected set with relations that are not in {@code outside}. Joins each resulting connected set with
     * other sets if {@code first} is true; otherwise, joins it with {@code other}.
     */
    private void grow(long set, long outside, boolean first, long other) {
        long neighbours = graph.neighbours(set) & ~outside;
        for (long more = -neighbours & neighbours; more != 0; more = more - neighbours & neighbours) {
            if (first) {
                joinWithOthers(set | more);
            } else {
                join(other, set | more);
            }
        }
        for (long more = -neighbours & neighbours; more != 0; more = more - neighbours & neighbours) {
            grow(set | more, outside | neighbours, first, other);
        }
    }

    /**
     * Joins a connected set with each disjoint connected set that shares an edge with it and whose relations all have
     * higher numbers than the first set's lowest-numbered relation.
     */
    private void joinWithOthers(long a) {
        long least = a & -a;
        long outside = 2 * least - 1 | a;
        long neighbours = graph.neighbours(a) & ~outside;
        for (long rest = neighbours; rest != 0; ) {
            long b = Long.highestOneBit(rest);
            rest &= ~b;
            join(a, b);
            grow(b, outside | 2 * b - 1 & neighbours, false, a);
        }
    }

    private void join(long a, long b) {
        cancellation.count(8);
        int set = sets.indexOf(a | b);
        double cost = costs[sets.indexOf(a)] + costs[sets.indexOf(b)] + sets.rows[set];
        if (cost < costs[set] || cost == costs[set] && a < sets.parts[set]) {
            costs[set] = cost;
            sets.parts[set] = a;
        }
    }

    private JoinTree tree(long set) {
        if ((set & set - 1) == 0) {
            return JoinTree.of(Long.numberOfTrailingZeros(set));
        }
        int at = sets.indexOf(set);
        return JoinTree.join(costs[at], tree(sets.parts[at]), tree(set & ~sets.parts[at]));
    }
}
