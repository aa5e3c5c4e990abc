package dev.bellman.bench.tiles;

/** The GPU backend's measurements of shortest paths in one table. */
public interface GpuPaths {
    /** Whether the table of a graph fits in GPU memory, including the copies that recursions keep. */
    boolean fits(int vertices);

    /** Returns the seconds of Floyd and Warshall's algorithm and checks its distances. */
    double seconds(ShortestPathsTable.Edges edges, String strategy);
}
