package dev.bellman.bench.measure;

import dev.bellman.columns.SolverCall;

/** Instances as one batch on the GPU, outside any query. */
public interface GpuBatch extends AutoCloseable {
    int rows();

    /** Returns the seconds that the kernels take, measured with CUDA events. */
    double kernelSeconds(SolverCall call);

    /** Returns the results of a function of type BIGINT. */
    long[] longs(SolverCall call);

    /** Returns the seconds from arguments in host memory to results in host memory. */
    double hostSeconds(SolverCall call);

    @Override
    void close();
}
