package dev.bellman.bench.measure;

/** Provides the kernel measurements of the GPU backend. */
public interface GpuBench {
    /** Copies the first instances of a dataset to the GPU. */
    GpuBatch read(BenchmarkData data);

    /** Returns the seconds taken by the kernels that {@code work} launches, as measured with CUDA events. */
    double kernelSeconds(Runnable work);
}
