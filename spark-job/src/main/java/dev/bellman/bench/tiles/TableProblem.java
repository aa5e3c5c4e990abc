package dev.bellman.bench.tiles;

import dev.bellman.large.tiles.Pattern;
import java.util.List;

/** A problem with one large table of n rows and columns, for {@link JavanmardSuite}. */
interface TableProblem {
    /** Returns the problem's name in the published figures. */
    String name();

    /** Returns the pattern of tiles from which a tile is computed. */
    Pattern pattern();

    /** Returns the number of candidates, or multiplications, of a table. */
    double operations(int n);

    /** Returns strategies for a GPU, fastest first. */
    List<String> gpuStrategies();

    /** Returns strategies for a CPU, fastest first. */
    List<String> cpuStrategies();

    /** Returns the CPU strategy that implements the paper's 2-way recursion. */
    String recursion();

    /** Returns the number of threads on a CPU. */
    int cpuThreads();

    /** Whether every strategy's table fits in GPU memory. */
    default boolean fitsGpu(int n) {
        return true;
    }

    /** Checks the result, and returns the seconds that the kernels take. */
    double gpuSeconds(int n, String strategy, long seed);

    /** Checks the result, and returns the seconds with this many threads. */
    double cpuSeconds(int n, String strategy, int threads, long seed);
}
