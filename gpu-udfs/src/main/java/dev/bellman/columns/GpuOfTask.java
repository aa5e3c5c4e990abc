package dev.bellman.columns;

/** The GPU of a Spark task. */
public interface GpuOfTask {
    /** The bytes that one instance may take on the GPU of this thread's task. */
    long memory();

    /** The name of its model. */
    String name();

    int multiprocessors();

    /** 32-bit additions, comparisons or three-input logic operations per second. */
    double operationsPerSecond();
}
