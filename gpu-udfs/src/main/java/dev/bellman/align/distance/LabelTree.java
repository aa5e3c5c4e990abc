package dev.bellman.align.distance;

import java.util.Arrays;

/**
 * An ordered tree with labels. Nodes are numbered in preorder: each node before its children, and the children from
 * left to right.
 *
 * @param labels the number of each node's label; equal labels have equal numbers
 * @param sizes the number of nodes in the subtree below each node, including the node
 * @param places the postorder number of each node: children from left to right, then their parent
 */
record LabelTree(int[] labels, int[] sizes, int[] places) {
    /**
     * A tree in postorder.
     *
     * @param leftmost the number of the leftmost leaf in each node's subtree
     * @param keyRoots the root and all nodes with a sibling to their left, in ascending order
     */
    record Ordered(int[] labels, int[] leftmost, int[] keyRoots) {
        /** Returns the total number of nodes in the subtrees of all key roots. */
        long work() {
            return Arrays.stream(keyRoots)
                    .mapToLong(root -> root - leftmost[root] + 1)
                    .sum();
        }
    }

    int size() {
        return sizes.length;
    }

    /** Returns the tree or its mirror image, in which children are in reverse order; both are in postorder. */
    Ordered ordered(boolean isMirrored) {
        int n = size();
        int[] ordered = new int[n];
        int[] leftmost = new int[n];
        int[] last = new int[n];
        Arrays.fill(last, -1);
        for (int v = 0; v < n; v++) {
            int place = isMirrored ? n - 1 - v : places[v];
            ordered[place] = labels[v];
            leftmost[place] = place - sizes[v] + 1;
            last[leftmost[place]] = Math.max(last[leftmost[place]], place);
        }
        int[] keyRoots = Arrays.stream(last).filter(root -> root >= 0).sorted().toArray();
        return new Ordered(ordered, leftmost, keyRoots);
    }
}
