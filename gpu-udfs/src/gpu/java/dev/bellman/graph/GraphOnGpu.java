package dev.bellman.graph;

import dev.bellman.graph.dense.DistancesOnGpu;

/** Opens {@link PathsOnGpu}. */
public final class GraphOnGpu implements PathsGpu {
    @Override
    public int edge() {
        return DistancesOnGpu.EDGE;
    }

    @Override
    public double bytes(Graph graph, ShortestPaths.Strategy strategy, boolean next) {
        return PathsOnGpu.bytes(graph, strategy, next);
    }

    @Override
    public PathTable solve(Graph graph, ShortestPaths.Plan plan, boolean next) {
        return PathsOnGpu.solve(graph, plan, next);
    }
}
