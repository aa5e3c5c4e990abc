package dev.bellman.job.plan;

/** Where the functions run. */
public enum Engine {
    /** On the GPU if the session has one, else on the CPU. */
    AUTO,
    /** On the GPU, or the job fails. */
    GPU,
    CPU
}
