package dev.bellman.order;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.ArrayArguments;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * A join graph, which consists of relations and the predicates between them. A set of relations is a number with one
 * bit per relation.
 *
 * @param neighbours for each relation, the set of relations that share an edge with this relation
 * @param lower for each relation, the lower-numbered relations with which it shares an edge, in the order in which the
 * edges are listed
 * @param selectivities the selectivities of these edges
 */
record JoinGraph(double[] cardinalities, int[] neighbours, int[][] lower, double[][] selectivities) {
    static final int MAX_RELATIONS = 20;

    /** The number of bytes per edge, including copies as objects, in a Spark row, and in this graph. */
    private static final int BYTES_OF_AN_EDGE = 150;

    private static final String FUNCTION = "join_order";
    private static final List<String> FIELDS = List.of("source", "target", "selectivity");

    int relations() {
        return cardinalities.length;
    }

    /** Returns the set of all relations. */
    int all() {
        return (1 << relations()) - 1;
    }

    /** Returns the relations outside a set that share an edge with a relation in the set. */
    int neighbours(int set) {
        int found = 0;
        for (int rest = set; rest != 0; rest &= rest - 1) {
            found |= neighbours[Integer.numberOfTrailingZeros(rest)];
        }
        return found & ~set;
    }

    /** Returns the row count of the join of each set, computed with the highest-numbered relation joined last. */
    double[] rows() {
        double[] rows = new double[1 << relations()];
        rows[0] = 1;
        Cancellation cancellation = new Cancellation();
        for (int set = 1; set < rows.length; set++) {
            int last = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(set);
            cancellation.count(1 + lower[last].length);
            double product = rows[set & ~(1 << last)] * cardinalities[last];
            for (int e = 0; e < lower[last].length; e++) {
                product = (set >> lower[last][e] & 1) == 1 ? product * selectivities[last][e] : product;
            }
            rows[set] = product;
        }
        return rows;
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
        int[] degrees = new int[count];
        for (int e = 0; e < edges.numElements(); e++) {
            InternalRow edge = checked(edges, e, count);
            degrees[Math.max(edge.getInt(0), edge.getInt(1))]++;
        }
        int[] neighbours = new int[count];
        int[][] lower = new int[count][];
        double[][] selectivities = new double[count][];
        for (int r = 0; r < count; r++) {
            lower[r] = new int[degrees[r]];
            selectivities[r] = new double[degrees[r]];
        }
        int[] filled = new int[count];
        for (int e = 0; e < edges.numElements(); e++) {
            InternalRow edge = edges.getStruct(e, FIELDS.size());
            int least = Math.min(edge.getInt(0), edge.getInt(1));
            int greatest = Math.max(edge.getInt(0), edge.getInt(1));
            lower[greatest][filled[greatest]] = least;
            selectivities[greatest][filled[greatest]++] = edge.getDouble(2);
            neighbours[greatest] |= 1 << least;
            neighbours[least] |= 1 << greatest;
        }
        JoinGraph graph = new JoinGraph(sizes, neighbours, lower, selectivities);
        graph.checkConnected();
        return graph;
    }

    private void checkConnected() {
        int reached = 1;
        for (int before = 0; before != reached; ) {
            before = reached;
            reached |= neighbours(reached);
        }
        if (reached != all()) {
            throw BellmanException.inRow(
                    FUNCTION,
                    ("relation %d is not connected to relation 0; add an edge, with selectivity 1 for a cross product")
                            .formatted(Integer.numberOfTrailingZeros(~reached)));
        }
    }

    private static InternalRow checked(ArrayData edges, int e, int relations) {
        if (edges.isNullAt(e)) {
            throw ArrayArguments.invalid(FUNCTION, "edges", e, "NULL", "a struct");
        }
        InternalRow edge = edges.getStruct(e, FIELDS.size());
        for (int field = 0; field < FIELDS.size(); field++) {
            if (edge.isNullAt(field)) {
                throw ArrayArguments.invalid(FUNCTION, FIELDS.get(field) + " of edges", e, "NULL", "a number");
            }
        }
        for (int end = 0; end < 2; end++) {
            if (edge.getInt(end) < 0 || edge.getInt(end) >= relations) {
                throw ArrayArguments.invalid(
                        FUNCTION,
                        FIELDS.get(end) + " of edges",
                        e,
                        edge.getInt(end),
                        "a relation, from 0 to %d".formatted(relations - 1));
            }
        }
        if (edge.getInt(0) == edge.getInt(1)) {
            throw ArrayArguments.invalid(
                    FUNCTION, "target of edges", e, edge.getInt(1), "a relation other than source");
        }
        double selectivity = edge.getDouble(2);
        if (!(selectivity > 0 && selectivity <= 1)) {
            throw ArrayArguments.invalid(FUNCTION, "selectivity of edges", e, selectivity, "above 0 and at most 1");
        }
        return edge;
    }
}
