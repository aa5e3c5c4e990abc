package dev.bellman.bench;

import dev.bellman.tiles.Pattern;
import java.util.List;

/** A problem with one large table, which has n rows and columns, for {@link JavanmardSuite}. */
interface TableProblem {
    /** As the published figures name it. */
    String name();

    /** From which tiles a tile is made. */
    Pattern pattern();

    /** Candidates, or multiplications, of a table. */
    double operations(int n);

    /** What a GPU runs, the fastest first. */
    List<String> gpuStrategies();

    /** What a CPU runs, the fastest first. */
    List<String> cpuStrategies();

    /** Of {@link #cpuStrategies}, the paper's 2-way recursion. */
    String recursion();

    /** How many threads a CPU runs. */
    int cpuThreads();

    /** The seconds of the kernels; the answer is checked. */
    double gpuSeconds(int n, String strategy, long seed);

    /** The seconds of so many threads; the answer is checked. */
    double cpuSeconds(int n, String strategy, int threads, long seed);
}
