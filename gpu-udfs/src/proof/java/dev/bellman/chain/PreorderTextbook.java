package dev.bellman.chain;

import java.util.ArrayList;
import java.util.List;

/** Lists the splits of a tree in preorder, for the oracles. */
public final class PreorderTextbook {
    private PreorderTextbook() {}

    /** Returns the splits of a range and of its subranges, in preorder, given a table with the split of every range. */
    public static int[] splits(int[][] split, int i, int j) {
        List<Integer> splits = new ArrayList<>();
        collect(split, i, j, splits);
        return splits.stream().mapToInt(k -> k).toArray();
    }

    private static void collect(int[][] split, int i, int j, List<Integer> splits) {
        if (i < j) {
            splits.add(split[i][j]);
            collect(split, i, split[i][j], splits);
            collect(split, split[i][j] + 1, j, splits);
        }
    }
}
