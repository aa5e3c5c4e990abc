package dev.bellman.bench.tiles;

/** Measures shortest paths on the GPU, in a single table. */
public interface GpuPaths {
    /** Whether a graph's table fits in GPU memory, including the copies that recursive strategies keep. */
    boolean fits(int vertices);

    /** Measures the time of the Floyd-Warshall algorithm in seconds, and checks its distances. */
    double seconds(ShortestPathsTable.Edges edges, String strategy);
}
