package dev.bellman.join.components;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Finds the connected components of one task's edges by union-find with path halving (Tarjan, "Efficiency of a good but
 * not linear set union algorithm", 1975).
 *
 * <p>Edges are pairs of node numbers. The result has a row for each node: the node's number, the smallest number in its
 * component, and the number of edges that end at the node. If a task has more nodes than the table can hold, the task
 * returns the rows so far and continues with an empty table, so a node may occur several times. The returned rows
 * connect the same nodes as the edges do, but each table contributes at most one link per node.
 */
public final class TaskComponents implements Iterator<Row> {
    /**
     * The number of bytes per node: for its number, parent, number of edges, and two slots of the table, which doubles
     * in size.
     */
    private static final int BYTES_A_NODE = 2 * (Long.BYTES + Integer.BYTES + Long.BYTES + 2 * Integer.BYTES);

    private static final int MIN_NODES = 1 << 10;
    private static final int MAX_NODES = 1 << 26;

    private final Iterator<InternalRow> edges;
    private final int maxNodes;

    private long[] nodes = new long[MIN_NODES];
    private int[] parents = new int[MIN_NODES];
    private long[] neighbours = new long[MIN_NODES];
    /** A hash table of node indices plus 1; free slots contain 0. */
    private int[] slots = new int[2 * MIN_NODES];

    private int count;
    private int next;

    /**
     * @param edges the edges, as rows of two numbers; or result rows from other tasks, each with a node, its root, and
     *     its number of edges
     * @param maxNodes the maximum number of nodes of a table, at least 2
     */
    public TaskComponents(Iterator<InternalRow> edges, int maxNodes) {
        this.edges = edges;
        this.maxNodes = maxNodes;
    }

    /** Returns the maximum number of nodes of a table that fits in the given memory. */
    public static int maxNodes(long bytes) {
        return (int) Math.max(MIN_NODES, Math.min(MAX_NODES, bytes / BYTES_A_NODE));
    }

    @Override
    public boolean hasNext() {
        if (next == count) {
            read();
        }
        return next < count;
    }

    @Override
    public Row next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int node = next++;
        return RowFactory.create(nodes[node], nodes[root(node)], neighbours[node]);
    }

    private void read() {
        count = 0;
        next = 0;
        Arrays.fill(slots, 0);
        while (count <= maxNodes - 2 && edges.hasNext()) {
            InternalRow edge = edges.next();
            int one = index(edge.getLong(0));
            int other = index(edge.getLong(1));
            if (edge.numFields() == 2) {
                neighbours[one]++;
                neighbours[other]++;
            } else {
                neighbours[one] += edge.getLong(2);
            }
            join(root(one), root(other));
        }
    }

    private void join(int one, int other) {
        if (nodes[one] < nodes[other]) {
            parents[other] = one;
        } else {
            parents[one] = other;
        }
    }

    private int root(int node) {
        int at = node;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        return at;
    }

    private int index(long node) {
        int slot = slot(node);
        if (slots[slot] == 0) {
            if (count == nodes.length) {
                grow();
                slot = slot(node);
            }
            nodes[count] = node;
            parents[count] = count;
            neighbours[count] = 0;
            slots[slot] = ++count;
        }
        return slots[slot] - 1;
    }

    /** Returns the slot of a node, or the free slot where it belongs. */
    private int slot(long node) {
        int mask = slots.length - 1;
        // spread the node numbers, which are usually hashes, but consecutive numbers in tests
        int slot = (int) (node * 0x9e3779b97f4a7c15L >>> 32) & mask;
        while (slots[slot] != 0 && nodes[slots[slot] - 1] != node) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        int size = 2 * count;
        nodes = Arrays.copyOf(nodes, size);
        parents = Arrays.copyOf(parents, size);
        neighbours = Arrays.copyOf(neighbours, size);
        slots = new int[2 * size];
        for (int i = 0; i < count; i++) {
            slots[slot(nodes[i])] = i + 1;
        }
    }
}
