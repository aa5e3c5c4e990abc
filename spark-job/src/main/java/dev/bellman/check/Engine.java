package dev.bellman.check;

/** Where a strategy is checked. */
enum Engine {
    CPU,
    GPU
}
