package dev.bellman.bench.measure;

import dev.bellman.columns.ColumnarFunction;

/** Instances as one batch on the GPU, outside any query. A function is given with its name in SQL. */
public interface GpuBatch extends AutoCloseable {
    int rows();

    /** Seconds of the kernels, by CUDA events. */
    double kernelSeconds(String name, ColumnarFunction function);

    /** The results of a function of type BIGINT. */
    long[] longs(String name, ColumnarFunction function);

    /** Seconds from arguments in host memory to results in host memory. */
    double hostSeconds(String name, ColumnarFunction function);

    @Override
    void close();
}
