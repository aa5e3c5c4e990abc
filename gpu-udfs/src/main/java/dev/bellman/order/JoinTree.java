package dev.bellman.order;

import java.util.stream.Stream;

/**
 * A join tree.
 *
 * @param set the set of its relations
 * @param cost the total row count of its joins
 * @param left the part that contains the lowest-numbered relation; null if the tree is a single relation
 * @param right the other part
 */
record JoinTree(long set, double cost, JoinTree left, JoinTree right) {
    static JoinTree of(int relation) {
        return new JoinTree(1L << relation, 0, null, null);
    }

    /** Joins two trees, of which the first contains the lowest-numbered relation. */
    static JoinTree join(double cost, JoinTree left, JoinTree right) {
        return new JoinTree(left.set | right.set, cost, left, right);
    }

    static JoinTree join(JoinGraph graph, JoinTree left, JoinTree right) {
        return join(left.cost + right.cost + graph.rows(left.set | right.set), left, right);
    }

    boolean isRelation() {
        return left == null;
    }

    /** Returns the trees of all joins: this tree and its subtrees, but no single relations. */
    Stream<JoinTree> joins() {
        return isRelation()
                ? Stream.empty()
                : Stream.concat(Stream.of(this), Stream.concat(left.joins(), right.joins()));
    }

    @Override
    public String toString() {
        return isRelation() ? "" + Long.numberOfTrailingZeros(set) : "(" + left + " " + right + ")";
    }
}
