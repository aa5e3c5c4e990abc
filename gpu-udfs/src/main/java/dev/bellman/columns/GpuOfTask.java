package dev.bellman.columns;

import java.util.Optional;

/** The GPU that a Spark task uses. */
public interface GpuOfTask {
    /**
     * Loads the RAPIDS and driver libraries into this process, and creates a GPU's context, before the session needs
     * them.
     *
     * @param gpu the number of the GPU among the GPUs that this process can use
     */
    void load(int gpu);

    /** Returns the maximum size in bytes that a single input may have on the GPU used by this thread's task. */
    long memory();

    /** Returns the GPU's model name. */
    String name();

    int multiprocessors();

    /** Returns the version of the RAPIDS Accelerator, such as {@code 26.08.1}; empty if the jar does not state it. */
    Optional<String> rapidsVersion();

    /** Returns the CUDA version that this machine's GPU driver supports, such as {@code 13.0}. */
    String cudaVersion();

    /**
     * Returns how many 32-bit operations (additions, comparisons or three-input logic operations) the GPU can perform
     * per second.
     */
    double operationsPerSecond();
}
