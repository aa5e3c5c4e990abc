package dev.bellman.columns;

/** The GPU that a Spark task uses. */
public interface GpuOfTask {
    /**
     * Loads the RAPIDS and driver libraries into this process early, so that the session's GPU starts sooner.
     */
    void load();

    /** Returns the maximum size of one input in bytes on the GPU that this thread's task uses. */
    long memory();

    /** Returns the GPU's model name. */
    String name();

    int multiprocessors();

    /** Returns the number of 32-bit additions, comparisons or three-input logic operations per second. */
    double operationsPerSecond();
}
