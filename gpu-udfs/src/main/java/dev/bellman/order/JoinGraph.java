package dev.bellman.order;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * A join graph, which consists of relations and the predicates between them. A set of relations is a number with one
 * bit per relation.
 *
 * @param neighbours for each relation, the set of relations that share an edge with this relation
 * @param lower for each relation, the lower-numbered relations with which it shares an edge, in the order in which the
 *     edges are listed
 * @param selectivities the selectivities of these edges
 */
record JoinGraph(double[] cardinalities, long[] neighbours, int[][] lower, double[][] selectivities) {
    /** The maximum number of relations: a set of more relations would not fit in a non-negative {@code long}. */
    static final int MAX_RELATIONS = 63;

    /** The number of bytes per edge, including copies as objects, in a Spark row, and in this graph. */
    private static final int BYTES_OF_AN_EDGE = 150;

    private static final String FUNCTION = "join_order";
    private static final List<String> FIELDS = List.of("source", "target", "selectivity");

    int relations() {
        return cardinalities.length;
    }

    /** Returns the set of all relations. */
    long all() {
        return (1L << relations()) - 1;
    }

    /** Returns the relations outside a set that share an edge with a relation in the set. */
    long neighbours(long set) {
        long found = 0;
        for (long rest = set; rest != 0; rest &= rest - 1) {
            found |= neighbours[Long.numberOfTrailingZeros(rest)];
        }
        return found & ~set;
    }

    /** Passes each connected set once to an action, until the action returns false. */
    void forEachConnectedSet(LongPredicate action) {
        boolean goesOn = true;
        for (int r = 0; r < relations() && goesOn; r++) {
            goesOn = action.test(1L << r) && grow(1L << r, (2L << r) - 1, action);
        }
    }

    /** Passes on each connected set that extends the given set with relations that are not excluded. */
    private boolean grow(long set, long excluded, LongPredicate action) {
        long neighbours = neighbours(set) & ~excluded;
        for (long more = -neighbours & neighbours; more != 0; more = more - neighbours & neighbours) {
            if (!action.test(set | more) || !grow(set | more, excluded | neighbours, action)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the row count of the join of a set, computed by joining its relations in ascending order. */
    double rows(long set) {
        double product = 1;
        for (long rest = set; rest != 0; rest &= rest - 1) {
            int next = Long.numberOfTrailingZeros(rest);
            product = join(product, set, next);
        }
        return product;
    }

    /** Returns the row counts of the joins of all sets, which equal those of {@link #rows(long)}. */
    double[] rows() {
        double[] rows = new double[1 << relations()];
        rows[0] = 1;
        Cancellation cancellation = new Cancellation();
        for (int set = 1; set < rows.length; set++) {
            int last = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(set);
            cancellation.count(1 + lower[last].length);
            rows[set] = join(rows[set & ~(1 << last)], set, last);
        }
        return rows;
    }

    /**
     * Returns the row count after joining a relation with the lower-numbered relations of a set, whose join has {@code
     * rows} rows.
     */
    private double join(double rows, long set, int relation) {
        double product = rows * cardinalities[relation];
        for (int e = 0; e < lower[relation].length; e++) {
            product = (set >> lower[relation][e] & 1) == 1 ? product * selectivities[relation][e] : product;
        }
        return product;
    }

    /**
     * Returns the graph in which each of the given disjoint trees is one relation, whose cardinality is the tree's row
     * count. Edges between trees are added in ascending order of their higher-numbered relations.
     */
    JoinGraph joined(List<JoinTree> trees) {
        int[] treeOf = new int[relations()];
        Arrays.fill(treeOf, -1);
        for (int t = 0; t < trees.size(); t++) {
            for (long rest = trees.get(t).set(); rest != 0; rest &= rest - 1) {
                treeOf[Long.numberOfTrailingZeros(rest)] = t;
            }
        }
        Edges edges = new Edges(trees.size());
        for (int r = 0; r < relations(); r++) {
            for (int e = 0; e < lower[r].length; e++) {
                int a = treeOf[r];
                int b = treeOf[lower[r][e]];
                if (a >= 0 && b >= 0 && a != b) {
                    edges.add(a, b, selectivities[r][e]);
                }
            }
        }
        return edges.graph(trees.stream().mapToDouble(tree -> rows(tree.set())).toArray());
    }

    /** Reads the arguments. The edges must connect all relations. */
    static JoinGraph of(ArrayData cardinalities, ArrayData edges) {
        int count = cardinalities.numElements();
        if (count > MAX_RELATIONS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: cardinalities lists %,d relations; the maximum is %d. Join some relations first"
                            .formatted(FUNCTION, count, MAX_RELATIONS));
        }
        if (count == 0) {
            throw BellmanException.inRow(FUNCTION, "cardinalities is empty; a join needs at least one relation");
        }
        double[] sizes = ArrayArguments.doubles(
                FUNCTION,
                "cardinalities",
                cardinalities,
                size -> size > 0 && size <= Double.MAX_VALUE,
                "a finite number above 0");
        TaskMemory.take(FUNCTION, (long) BYTES_OF_AN_EDGE * edges.numElements(), "", () -> "a list of %,d edges"
                .formatted(edges.numElements()));
        Edges graphEdges = new Edges(count);
        for (int e = 0; e < edges.numElements(); e++) {
            InternalRow edge = checked(edges, e, count);
            graphEdges.add(edge.getInt(0), edge.getInt(1), edge.getDouble(2));
        }
        JoinGraph graph = graphEdges.graph(sizes);
        graph.checkConnected();
        return graph;
    }

    private static final class Edges {
        private final long[] neighbours;
        private final int[] degrees;
        private final int[][] lower;
        private final double[][] selectivities;

        Edges(int relations) {
            neighbours = new long[relations];
            degrees = new int[relations];
            lower = new int[relations][4];
            selectivities = new double[relations][4];
        }

        void add(int a, int b, double selectivity) {
            int least = Math.min(a, b);
            int greatest = Math.max(a, b);
            neighbours[greatest] |= 1L << least;
            neighbours[least] |= 1L << greatest;
            int degree = degrees[greatest]++;
            if (degree == lower[greatest].length) {
                lower[greatest] = Arrays.copyOf(lower[greatest], 2 * degree);
                selectivities[greatest] = Arrays.copyOf(selectivities[greatest], 2 * degree);
            }
            lower[greatest][degree] = least;
            selectivities[greatest][degree] = selectivity;
        }

        JoinGraph graph(double[] cardinalities) {
            for (int r = 0; r < degrees.length; r++) {
                lower[r] = Arrays.copyOf(lower[r], degrees[r]);
                selectivities[r] = Arrays.copyOf(selectivities[r], degrees[r]);
            }
            return new JoinGraph(cardinalities, neighbours, lower, selectivities);
        }
    }

    static BellmanException tooExpensive() {
        return BellmanException.inRow(FUNCTION, "the cost exceeds the range of DOUBLE; use smaller cardinalities");
    }

    private void checkConnected() {
        long reached = 1;
        for (long before = 0; before != reached; ) {
            before = reached;
            reached |= neighbours(reached);
        }
        if (reached != all()) {
            throw BellmanException.inRow(
                    FUNCTION,
                    ("relation %d is not connected to relation 0; add an edge, with selectivity 1 for a cross product")
                            .formatted(Long.numberOfTrailingZeros(~reached)));
        }
    }

    private static InternalRow checked(ArrayData edges, int e, int relations) {
        if (edges.isNullAt(e)) {
            throw ArrayArguments.invalid(FUNCTION, "edges", e, "NULL", "a struct");
        }
        InternalRow edge = edges.getStruct(e, FIELDS.size());
        for (int field = 0; field < FIELDS.size(); field++) {
            if (edge.isNullAt(field)) {
                throw invalid(FIELDS.get(field), e, "NULL", "a number");
            }
        }
        for (int end = 0; end < 2; end++) {
            if (edge.getInt(end) < 0 || edge.getInt(end) >= relations) {
                throw invalid(FIELDS.get(end), e, edge.getInt(end), "a relation from 0 to %d".formatted(relations - 1));
            }
        }
        if (edge.getInt(0) == edge.getInt(1)) {
            throw invalid("target", e, edge.getInt(1), "different from the source");
        }
        double selectivity = edge.getDouble(2);
        if (!(selectivity > 0 && selectivity <= 1)) {
            throw invalid("selectivity", e, selectivity, "above 0 and at most 1");
        }
        return edge;
    }

    private static BellmanException invalid(String field, int edge, Object found, String expected) {
        return BellmanException.inRow(
                FUNCTION,
                "the %s of edge %,d (counted from 1) is %s; it must be %s".formatted(field, edge + 1, found, expected));
    }
}
