package dev.bellman.graph;

/** The part of the GPU side that solves one graph in the memory of a GPU. */
public interface PathsGpu {
    /** Rows and columns of a tile. */
    int edge();

    /**
     * Bytes on the GPU for a graph whose lengths, or keys, fit 64 bits; infinity if it has too many vertices for any
     * GPU.
     */
    double bytes(Graph graph, ShortestPaths.Strategy strategy, boolean next);

    /**
     * Solves a graph whose lengths, or keys, fit 64 bits, in a task with a GPU.
     *
     * @return the paths, to be closed
     */
    PathTable solve(Graph graph, ShortestPaths.Plan plan, boolean next);
}
