package dev.bellman.bench.measure;

/** The kernel measurements of the GPU backend. */
public interface GpuBench {
    /** Copies the first instances of a dataset to the GPU. */
    GpuBatch read(BenchmarkData data);

    /** Returns the seconds of the kernels that this work launches, measured with CUDA events. */
    double kernelSeconds(Runnable work);
}
