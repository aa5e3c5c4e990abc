package dev.bellman.job;

/** Where the functions run. */
enum Engine {
    /** On the GPU if the session has one, else on the CPU. */
    AUTO,
    /** On the GPU, or the job fails. */
    GPU,
    CPU
}
