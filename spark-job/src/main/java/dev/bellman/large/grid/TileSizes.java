package dev.bellman.large.grid;

import dev.bellman.large.levels.LevelSizes;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.TiledProblem;

/** Computes the sizes of large tiles and their memory. */
public final class TileSizes {
    /** The maximum number of tiles per side of a large tile, a power of 2. */
    public static final int MAX_PARTS = 16;

    /**
     * The number of large tiles per side, divided by the number of cores per side. It is high enough that few cores are
     * idle at the end of a wave.
     */
    private static final int WAVE = 8;

    /** The number of tiles that a task holds in memory: a target, two sources, and a tile that is being written. */
    private static final int AT_A_TIME = 4;

    private TileSizes() {}

    /**
     * Returns the number of tiles per side of a large tile for this many cores, at most {@value #MAX_PARTS}. With this
     * number, even the smallest waves have work for all cores, and an executor's memory can hold the tiles that its
     * cores need at the same time.
     *
     * @param cores the number of cores of all executors
     * @param ofExecutor the number of cores of each executor
     * @param memory as in {@link TileSettings}
     */
    public static int parts(TiledProblem<?> problem, int cores, int ofExecutor, long memory) {
        int parts = MAX_PARTS;
        while (parts > 1
                && (problem.side() < parts * WAVE * Math.sqrt(cores) || !fit(problem, parts, ofExecutor, memory))) {
            parts /= 2;
        }
        return parts;
    }

    /** Whether several GPUs can compute a table together. */
    public static boolean canShare(Pattern pattern) {
        return pattern == Pattern.CLOSURE || pattern == Pattern.ELIMINATION;
    }

    /**
     * Returns the number of bytes that each of several GPUs needs for its share of a table.
     *
     * @param parts as in {@link TileSettings}
     */
    public static long gpuBytes(TiledProblem<?> problem, int parts, int gpus) {
        return LevelSizes.bytesOfShare(problem, parts, new Slots(gpus).most(Grid.tiles(problem.side(), parts)));
    }

    /**
     * Whether an executor's memory can hold the tiles that its cores need at the same time. Assumes that small tiles
     * fit.
     */
    public static boolean fit(TiledProblem<?> problem, int parts, int ofExecutor, long memory) {
        return parts == 1 || atATime(problem, parts, ofExecutor) <= memory;
    }

    /** Returns the number of bytes of the tiles that an executor's cores need at the same time. */
    public static double atATime(TiledProblem<?> problem, int parts, int ofExecutor) {
        return (double) parts * parts * problem.bytes() * AT_A_TIME * ofExecutor;
    }
}
