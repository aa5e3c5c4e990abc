package dev.bellman.align.distance;

import dev.bellman.columns.TaskMemory;
import java.util.Arrays;
import java.util.Map;

/** Collects the nodes of a {@link LabelTree} in preorder. */
final class TreeBuilder {
    /** The number of bytes per node, for its arrays, their copies and an entry in the map of labels. */
    private static final int BYTES_OF_A_NODE = 200;

    private final Map<String, Integer> numbers;
    private final int[] labels;
    private final int[] sizes;
    private final int[] places;
    /** The open nodes, from the root to the innermost one. */
    private final int[] open;

    private int depth;
    private int nodes;
    private int closed;

    /** @param numbers the labels found so far, with their numbers; new labels are added */
    TreeBuilder(String function, long maxNodes, Map<String, Integer> numbers) {
        TaskMemory.take(function, BYTES_OF_A_NODE * maxNodes, "", () -> "a tree of %,d nodes".formatted(maxNodes));
        this.numbers = numbers;
        labels = new int[(int) maxNodes];
        sizes = new int[(int) maxNodes];
        places = new int[(int) maxNodes];
        open = new int[(int) maxNodes];
    }

    /** Returns the number of open nodes. */
    int depth() {
        return depth;
    }

    int nodes() {
        return nodes;
    }

    /** Opens a node below the innermost open node. */
    void open(String label) {
        labels[nodes] = numbers.computeIfAbsent(label, unused -> numbers.size());
        open[depth++] = nodes++;
    }

    /** Closes the innermost open node. */
    void close() {
        int node = open[--depth];
        sizes[node] = nodes - node;
        places[node] = closed++;
    }

    /** Returns the tree of all nodes, each of which must be closed. */
    LabelTree tree() {
        return new LabelTree(Arrays.copyOf(labels, nodes), Arrays.copyOf(sizes, nodes), Arrays.copyOf(places, nodes));
    }
}
