package dev.bellman.bench.measure;

import dev.bellman.columns.SolverCall;

/** One batch of instances on the GPU, outside any query. */
public interface GpuBatch extends AutoCloseable {
    int rows();

    /** Returns the seconds that the kernels take, as measured with CUDA events. */
    double kernelSeconds(SolverCall call);

    /** Returns the results of a function whose result type is BIGINT. */
    long[] longs(SolverCall call);

    /** Returns the seconds from when the arguments are in host memory until the results are in host memory. */
    double hostSeconds(SolverCall call);

    @Override
    void close();
}
