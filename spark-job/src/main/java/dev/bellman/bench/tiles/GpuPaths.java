package dev.bellman.bench.tiles;

/** The part of the GPU side that measures shortest paths in one table. */
public interface GpuPaths {
    /** Whether the table of a graph fits the GPU, including the copies that recursions keep. */
    boolean fits(int vertices);

    /** Seconds of Floyd and Warshall's algorithm, whose distances are checked. */
    double seconds(ShortestPathsTable.Edges edges, String strategy);
}
