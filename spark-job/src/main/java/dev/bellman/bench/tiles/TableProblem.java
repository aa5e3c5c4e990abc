package dev.bellman.bench.tiles;

import dev.bellman.large.tiles.Pattern;
import java.util.List;

/** A problem with one large table of n rows and columns, for {@link JavanmardSuite}. */
interface TableProblem {
    /** Its name in the published figures. */
    String name();

    /** The tiles from which a tile is computed. */
    Pattern pattern();

    /** The number of candidates, or multiplications, of a table. */
    double operations(int n);

    /** Strategies for a GPU, fastest first. */
    List<String> gpuStrategies();

    /** Strategies for a CPU, fastest first. */
    List<String> cpuStrategies();

    /** The one of {@link #cpuStrategies} that is the paper's 2-way recursion. */
    String recursion();

    /** The number of threads on a CPU. */
    int cpuThreads();

    /** Whether the table fits the GPU by every strategy. */
    default boolean fitsGpu(int n) {
        return true;
    }

    /** The seconds of the kernels; the answer is checked. */
    double gpuSeconds(int n, String strategy, long seed);

    /** The seconds with this many threads; the answer is checked. */
    double cpuSeconds(int n, String strategy, int threads, long seed);
}
