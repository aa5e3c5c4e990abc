package dev.bellman.columns;

/** The GPU of a Spark task. */
public interface GpuOfTask {
    /**
     * Loads the libraries of RAPIDS and of the driver into this process early, so that the session's GPU starts sooner.
     */
    void load();

    /** The bytes that one instance may take on the GPU of this thread's task. */
    long memory();

    /** The name of the GPU's model. */
    String name();

    int multiprocessors();

    /** 32-bit additions, comparisons or three-input logic operations per second. */
    double operationsPerSecond();
}
