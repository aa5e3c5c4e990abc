package dev.bellman.job.plan;

/** The engine that runs the functions. */
public enum Engine {
    /** Each function runs on the GPU if the session has one and the function supports it, and otherwise on the CPU. */
    AUTO,
    /** Functions run on the GPU, or the job fails. */
    GPU,
    CPU
}
