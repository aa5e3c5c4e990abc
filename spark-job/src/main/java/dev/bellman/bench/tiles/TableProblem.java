package dev.bellman.bench.tiles;

import java.util.List;

/** A problem whose single large table has n rows and columns, for {@link JavanmardSuite}. */
interface TableProblem {
    /** Returns the name under which the published figures list the problem. */
    String name();

    /** Returns the number of candidates or multiplications that a table needs. */
    double operations(int n);

    /** Returns the strategies for a GPU, fastest first. */
    List<String> gpuStrategies();

    /** Returns the strategies for a CPU, fastest first. */
    List<String> cpuStrategies();

    /** Returns the CPU strategy that implements the paper's 2-way recursion. */
    String recursion();

    /** Returns the number of threads that a run on the CPU uses. */
    int cpuThreads();

    /** Whether the table fits in GPU memory with every strategy. */
    default boolean fitsGpu(int n) {
        return true;
    }

    /** Computes the table on the GPU, checks it, and returns how many seconds the kernels took. */
    double gpuSeconds(int n, String strategy, long seed);

    /** Computes the table with this many threads, checks it, and returns how many seconds the computation took. */
    double cpuSeconds(int n, String strategy, int threads, long seed);
}
