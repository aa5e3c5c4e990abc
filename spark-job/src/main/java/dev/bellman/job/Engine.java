package dev.bellman.job;

/** Where the functions run. */
enum Engine {
    /** On the GPU where the session has one, and else on the CPU. */
    AUTO,
    /** On the GPU, or the job fails. */
    GPU,
    CPU
}
