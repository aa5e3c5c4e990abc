package dev.bellman.columns;

/** The GPU of a Spark task. */
public interface GpuOfTask {
    /**
     * Loads the RAPIDS and driver libraries into this process early, so that the session's GPU starts sooner.
     */
    void load();

    /** Returns the maximum bytes of one input on the GPU of this thread's task. */
    long memory();

    /** Returns the GPU's model name. */
    String name();

    int multiprocessors();

    /** 32-bit additions, comparisons or three-input logic operations per second. */
    double operationsPerSecond();
}
