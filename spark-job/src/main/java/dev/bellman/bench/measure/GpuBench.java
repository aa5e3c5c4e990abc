package dev.bellman.bench.measure;

/** The part of the GPU side that measures kernels. */
public interface GpuBench {
    /** The first instances of a dataset on the GPU. */
    GpuBatch read(BenchmarkData data);

    /** Seconds of the kernels that some work launches, by CUDA events. */
    double kernelSeconds(Runnable work);
}
