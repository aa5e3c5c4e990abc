package dev.bellman.chain;

/**
 * Lists splits in preorder: the split of a range, then the splits of its left part, then the splits of its right part.
 */
final class Preorder {
    private Preorder() {}

    /**
     * Returns the split of the range from leaf {@code first} to leaf {@code last}, counted from 1: the last leaf of its
     * left part.
     */
    @FunctionalInterface
    interface Split {
        int of(int first, int last);
    }

    /**
     * Returns the splits of a tree: for each range of two or more leaves, the last leaf of its left part, counted from
     * 1.
     */
    static int[] splits(int leaves, Split split) {
        int[] splits = new int[leaves - 1];
        // a stack of the ranges that are still to be split: right parts wait until left parts are done
        int[] first = new int[leaves];
        int[] last = new int[leaves];
        int depth = 0;
        first[0] = 1;
        last[0] = leaves;
        for (int count = 0; count < splits.length; ) {
            int i = first[depth];
            int j = last[depth];
            if (i == j) {
                depth--;
                continue;
            }
            int k = split.of(i, j);
            splits[count++] = k;
            first[depth] = k + 1;
            depth++;
            first[depth] = i;
            last[depth] = k;
        }
        return splits;
    }
}
