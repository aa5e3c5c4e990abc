package dev.bellman.align.consensus;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Contains the alignment of several strings as a graph. A node is a character, and each string is a path. Strings share
 * the nodes of their aligned, equal characters. Nodes with aligned, different characters form a column. An edge joins
 * the nodes of two neighbouring characters; its weight is the number of strings that contain it.
 *
 * <p>The order of nodes is topological, and the nodes of a column are adjacent in this order. A depth-first search
 * computes the order: it starts from each node in the order in which the nodes were added. Before a node's column is
 * listed, the search lists the nodes that precede the column. These are the predecessors of the node's column mates,
 * from the last mate to the first, followed by the predecessors of the node, from the last edge to the first.
 */
final class PartialOrderGraph {
    /** An estimate of the number of bytes per node, including the tables of {@link HeaviestBundle}. */
    private static final int BYTES_OF_A_NODE = 320;

    /** An estimate of the number of bytes per edge, including its entries in tables. */
    private static final int BYTES_OF_AN_EDGE = 80;

    /** An estimate of the number of bytes per entry in a list of column mates, which may have spare entries. */
    private static final int BYTES_OF_A_MATE = 6;

    /** A character of one or more strings. */
    static final class Node {
        final int id;
        /** The number by which characters are compared. */
        final int symbol;

        final int character;
        final List<Edge> in = new ArrayList<>(1);
        final List<Edge> out = new ArrayList<>(1);
        /** The other nodes of the column. */
        final List<Node> mates = new ArrayList<>(0);
        /** The node's position in the topological order. */
        int rank;

        private Node(int id, int symbol, int character) {
            this.id = id;
            this.symbol = symbol;
            this.character = character;
        }
    }

    /** An edge, which joins two neighbouring characters of at least one string. */
    static final class Edge {
        final Node from;
        final Node to;
        int weight = 1;

        private Edge(Node from, Node to) {
            this.from = from;
            this.to = to;
        }
    }

    private final List<Node> nodes = new ArrayList<>();
    private List<Node> order = List.of();
    private long edges;
    /** The total number of entries in the lists of column mates. */
    private long mates;
    /** The number of nodes in the largest column. */
    private int largestColumn;

    /** Returns the nodes in topological order. */
    List<Node> order() {
        return order;
    }

    int size() {
        return nodes.size();
    }

    /** Returns an estimate of the graph's maximum size in bytes after a string of the given length has been added. */
    long bytesWith(int length) {
        // a character may add a node to a column; each other node of the column then lists the new node, and the new
        // node lists each other node. A string adds at most one node to each column
        long newMates = 2 * Math.min((long) largestColumn * length, nodes.size());
        return BYTES_OF_A_NODE * ((long) nodes.size() + length)
                + BYTES_OF_AN_EDGE * (edges + length)
                + BYTES_OF_A_MATE * (mates + newMates);
    }

    /**
     * Adds a string.
     *
     * @param aligned the node with which each character is aligned, or null for a character opposite a gap
     */
    void add(int[] symbols, int[] characters, Node... aligned) {
        Node before = null;
        for (int i = 0; i < symbols.length; i++) {
            Node node = node(aligned[i], symbols[i], characters[i]);
            if (before != null) {
                join(before, node);
            }
            before = node;
        }
        sort();
    }

    /** Returns the node for a character: a new one, unless the column already has a node with an equal character. */
    private Node node(Node aligned, int symbol, int character) {
        if (aligned != null) {
            if (aligned.symbol == symbol) {
                return aligned;
            }
            for (Node mate : aligned.mates) {
                if (mate.symbol == symbol) {
                    return mate;
                }
            }
        }
        Node node = new Node(nodes.size(), symbol, character);
        nodes.add(node);
        if (aligned != null) {
            for (Node mate : aligned.mates) {
                mate.mates.add(node);
                node.mates.add(mate);
            }
            aligned.mates.add(node);
            node.mates.add(aligned);
        }
        mates += 2L * node.mates.size();
        largestColumn = Math.max(largestColumn, node.mates.size() + 1);
        return node;
    }

    private void join(Node from, Node to) {
        for (Edge edge : from.out) {
            if (edge.to == to) {
                edge.weight++;
                return;
            }
        }
        Edge edge = new Edge(from, to);
        from.out.add(edge);
        to.in.add(edge);
        edges++;
    }

    private void sort() {
        List<Node> sorted = new ArrayList<>(nodes.size());
        BitSet isDone = new BitSet(nodes.size());
        BitSet isMate = new BitSet(nodes.size());
        Deque<Node> stack = new ArrayDeque<>();
        for (Node start : nodes) {
            stack.push(start);
            while (!stack.isEmpty()) {
                Node node = stack.peek();
                if (!isDone.get(node.id) && pushNeeded(node, isDone, isMate, stack)) {
                    continue;
                }
                stack.pop();
                if (!isDone.get(node.id)) {
                    isDone.set(node.id);
                    if (!isMate.get(node.id)) {
                        sorted.add(node);
                        sorted.addAll(node.mates);
                    }
                }
            }
        }
        order = sorted;
        for (int rank = 0; rank < sorted.size(); rank++) {
            sorted.get(rank).rank = rank;
        }
    }

    /**
     * Pushes onto the stack the nodes that the search must finish before a node.
     *
     * @param isMate the nodes that will be listed together with one of their mates
     * @return whether any nodes were pushed
     */
    private static boolean pushNeeded(Node node, BitSet isDone, BitSet isMate, Deque<Node> stack) {
        int before = stack.size();
        for (Edge edge : node.in) {
            if (!isDone.get(edge.from.id)) {
                stack.push(edge.from);
            }
        }
        if (!isMate.get(node.id)) {
            for (Node mate : node.mates) {
                if (!isDone.get(mate.id)) {
                    stack.push(mate);
                    isMate.set(mate.id);
                }
            }
        }
        return stack.size() > before;
    }
}
