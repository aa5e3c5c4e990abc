package dev.bellman.job.plan;

/** The engine on which the functions run. */
public enum Engine {
    /** On the GPU if the session has one, otherwise on the CPU. */
    AUTO,
    /** On the GPU, or the job fails. */
    GPU,
    CPU
}
