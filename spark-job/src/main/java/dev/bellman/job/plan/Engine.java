package dev.bellman.job.plan;

/** The engine that runs the functions. */
public enum Engine {
    /** Functions run on the GPU if the session has one, and otherwise on the CPU. */
    AUTO,
    /** Functions run on the GPU, or the job fails. */
    GPU,
    CPU
}
