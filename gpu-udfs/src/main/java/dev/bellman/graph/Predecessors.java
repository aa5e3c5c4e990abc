package dev.bellman.graph;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * Finds the second-to-last vertex of each shortest path from a source, using only the lengths of these paths. Walking
 * back from a target, from predecessor to predecessor, always ends at the source.
 *
 * <p>For integers, the walk is the path of {@link PathTable#next}: among all paths with the fewest edges, the one with
 * the smallest next vertex at each step. Every prefix of such a path is also such a path, so these paths form a tree. A
 * breadth-first search along the edges of shortest paths grows the tree: vertices with the same number of edges are
 * visited in the order of their paths. For DOUBLE, the tree grows as in {@link PathTrees}.
 */
public final class Predecessors {
    private Predecessors() {}

    /**
     * Returns the vertex before each target on the path from a source, or {@link PathTable#NONE} for the source and for
     * unreachable vertices.
     *
     * @param paths the paths of the graph, including lengths
     * @param row the table row with the paths from the source
     */
    public static int[] of(Graph graph, PathTable paths, int row, int source) {
        int[] before = new int[graph.nodes];
        Arrays.fill(before, PathTable.NONE);
        if (graph.hasDoubles()) {
            IntToDoubleFunction lengths = target -> paths.reaches(row, target)
                    ? Double.longBitsToDouble(paths.length(row, target))
                    : Double.POSITIVE_INFINITY;
            PathTrees.grow(source, graph.starts, graph.targets, graph.doubles, lengths, before, new int[before.length]);
        } else {
            search(graph, paths, row, source, before);
        }
        return before;
    }

    private static void search(Graph graph, PathTable paths, int row, int source, int... before) {
        int[] queue = new int[before.length];
        int count = 1;
        queue[0] = source;
        for (int visited = 0; visited < count; visited++) {
            int i = queue[visited];
            long length = paths.length(row, i);
            for (int e = graph.starts[i]; e < graph.starts[i + 1]; e++) {
                int j = graph.targets[e];
                if (before[j] == PathTable.NONE && j != source) {
                    long sum = length + graph.longs[e];
                    boolean overflow = ((length ^ sum) & (graph.longs[e] ^ sum)) < 0;
                    if (!overflow && sum == paths.length(row, j)) {
                        before[j] = i;
                        queue[count++] = j;
                    }
                }
            }
        }
    }
}
