package dev.bellman.bench.tiles;

/** Measures shortest paths in one table on the GPU. */
public interface GpuPaths {
    /** Whether the table of a graph fits in GPU memory, including the copies that recursions keep. */
    boolean fits(int vertices);

    /** Measures the Floyd-Warshall algorithm in seconds, and checks its distances. */
    double seconds(ShortestPathsTable.Edges edges, String strategy);
}
