package dev.bellman.check;

/** The engine on which a strategy is checked. */
enum Engine {
    /** The function's expression, evaluated row by row as in a query without generated code. */
    CPU,
    /** A query on the CPU, with generated code. */
    CPU_QUERY,
    /** A query on the GPU. */
    GPU
}
