package dev.bellman.graph;

/** The GPU component that solves one graph in GPU memory. */
public interface PathsGpu {
    /** Returns the number of rows and columns of a tile. */
    int edge();

    /**
     * Returns the number of bytes that a graph whose lengths or keys fit in 64 bits takes on the GPU, or infinity if
     * the graph has too many vertices for any GPU.
     */
    double bytes(Graph graph, ShortestPaths.Strategy strategy, boolean next);

    /**
     * Solves a graph whose lengths or keys fit in 64 bits, in a task with a GPU.
     *
     * @return the paths, which the caller must close
     */
    PathTable solve(Graph graph, ShortestPaths.Plan plan, boolean next);
}
