package dev.bellman.large.grid;

import dev.bellman.graph.ErrorContext;
import dev.bellman.graph.Graph;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Generates graphs for tests. */
final class Graphs {
    static final ErrorContext NAME = ErrorContext.ofFunction("paths");

    private Graphs() {}

    /** Returns a graph that has a path through almost all vertices, and random edges. */
    static Graph random(int nodes, boolean doubles, long most) {
        SplittableRandom random = new SplittableRandom(nodes);
        int edges = 4 * nodes;
        int[] sources = new int[edges];
        int[] targets = new int[edges];
        long[] longs = new long[edges];
        for (int e = 0; e < edges; e++) {
            sources[e] = e < nodes - 5 ? e : random.nextInt(nodes);
            targets[e] = e < nodes - 5 ? e + 1 : random.nextInt(nodes);
            // weights are derived from potentials, so some weights are negative, but no cycle is
            longs[e] = random.nextLong(most) + (targets[e] - sources[e]);
            if (sources[e] == targets[e]) {
                longs[e] = 0;
            }
        }
        return doubles
                ? Graph.ofDoubles(
                        NAME,
                        nodes,
                        sources,
                        targets,
                        Arrays.stream(longs).mapToDouble(w -> w / 10.0).toArray())
                : Graph.ofLongs(NAME, nodes, sources, targets, longs);
    }
}
