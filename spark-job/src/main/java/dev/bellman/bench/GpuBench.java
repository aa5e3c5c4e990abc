package dev.bellman.bench;

/** The part of the GPU side that measures kernels. */
public interface GpuBench {
    /** The first instances of a dataset on the GPU. */
    GpuBatch read(BenchmarkData data);

    /** Seconds of the kernels that some work launches, by CUDA events. */
    double kernelSeconds(Runnable work);

    /** Whether the table of a graph fits the GPU, and the copies that recursions keep. */
    boolean fitsPaths(int vertices);

    /** Seconds of Floyd and Warshall's algorithm, whose distances are checked. */
    double pathSeconds(ShortestPathsTable.Edges edges, String strategy);
}
