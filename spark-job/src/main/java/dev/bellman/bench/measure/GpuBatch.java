package dev.bellman.bench.measure;

import dev.bellman.columns.ColumnarFunction;

/** Instances as one batch on the GPU, outside any query. Functions are passed with their SQL names. */
public interface GpuBatch extends AutoCloseable {
    int rows();

    /** Returns the seconds that the kernels take, measured by CUDA events. */
    double kernelSeconds(String name, ColumnarFunction function);

    /** Returns the results of a function of type BIGINT. */
    long[] longs(String name, ColumnarFunction function);

    /** Returns the seconds from arguments in host memory to results in host memory. */
    double hostSeconds(String name, ColumnarFunction function);

    @Override
    void close();
}
