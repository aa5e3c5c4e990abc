package dev.bellman.graph;

/** The GPU part that solves one graph in the memory of a GPU. */
public interface PathsGpu {
    /** Returns the number of rows and columns of a tile. */
    int edge();

    /**
     * Returns the number of bytes on the GPU for a graph whose lengths, or keys, fit 64 bits; infinity if the graph has
     * too many vertices for any GPU.
     */
    double bytes(Graph graph, ShortestPaths.Strategy strategy, boolean next);

    /**
     * Solves a graph whose lengths, or keys, fit 64 bits, in a task with a GPU.
     *
     * @return the paths, which the caller must close
     */
    PathTable solve(Graph graph, ShortestPaths.Plan plan, boolean next);
}
