package dev.bellman.large.grid;

import dev.bellman.large.levels.LevelSizes;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.TiledProblem;

/** Computes how large the large tiles should be, and how much memory they need. */
public final class TileSizes {
    /** The maximum number of tiles on each side of a large tile, which is a power of 2. */
    public static final int MAX_PARTS = 16;

    /**
     * The minimum ratio of the number of large tiles on each side of the table to the square root of the number of
     * cores. With this ratio, few cores are idle at the end of a wave.
     */
    private static final int WAVE = 8;

    /** The number of tiles that a task holds in memory: a target, two sources, and a tile that is being written. */
    private static final int AT_A_TIME = 4;

    private TileSizes() {}

    /**
     * Returns the number of tiles on each side of a large tile, which is at most {@value #MAX_PARTS}. It is the largest
     * power of 2 with which even the smallest waves have work for all cores, and the tiles that an executor's cores
     * need at the same time fit in its memory; 1 if no larger one meets these conditions.
     *
     * @param cores the number of cores of all executors together
     * @param ofExecutor the number of cores of each executor
     * @param memory has the same meaning as in {@link TileSettings}
     */
    public static int parts(TiledProblem<?> problem, int cores, int ofExecutor, long memory) {
        int parts = MAX_PARTS;
        while (parts > 1
                && (problem.side() < parts * WAVE * Math.sqrt(cores) || !fit(problem, parts, ofExecutor, memory))) {
            parts /= 2;
        }
        return parts;
    }

    /** Whether several GPUs together can compute a table that has this pattern. */
    public static boolean canShare(Pattern pattern) {
        return pattern == Pattern.CLOSURE || pattern == Pattern.ELIMINATION;
    }

    /**
     * Returns how many bytes each of several GPUs needs for its share of a table.
     *
     * @param parts has the same meaning as in {@link TileSettings}
     */
    public static long gpuBytes(TiledProblem<?> problem, int parts, int gpus) {
        return LevelSizes.bytesOfShare(problem, parts, new Slots(gpus).most(Grid.tiles(problem.side(), parts)));
    }

    /**
     * Whether the tiles that an executor's cores need at the same time fit in its memory. Large tiles that consist of a
     * single tile are assumed to fit.
     */
    public static boolean fit(TiledProblem<?> problem, int parts, int ofExecutor, long memory) {
        return parts == 1 || atATime(problem, parts, ofExecutor) <= memory;
    }

    /** Returns the total size in bytes of the tiles that an executor's cores need at the same time. */
    public static double atATime(TiledProblem<?> problem, int parts, int ofExecutor) {
        return (double) parts * parts * problem.bytes() * AT_A_TIME * ofExecutor;
    }
}
