package dev.bellman.large.levels;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.TiledProblem;

/** Computes the sizes of large tiles for a {@link LevelTable}, and the GPU memory that they need. */
public final class LevelSizes {
    /**
     * The maximum number of cells per side of a tile: larger tiles gain nothing, because tasks already hide all copies.
     */
    private static final int MAX_EDGE = 8_192;

    /** The minimum fraction of GPU memory for streaming tiles; the lines of a round take the rest. */
    static final double MOVING = 0.3;

    /**
     * The number of rounds whose panels a share stores: the products of a round may still run when the next round
     * begins.
     */
    static final int ROUNDS = 2;

    /** The minimum number of rounds. With fewer rounds, too much work would be sequential. */
    private static final int MIN_ROUNDS = 4;

    /**
     * With {@link Pattern#TRIANGLE}, the minimum number of large tiles that must fit on the GPU. If fewer fit, all
     * three tiles of a task must be copied before it can run, so smaller tiles are faster.
     */
    private static final int MIN_IN_TRIANGLE = 24;

    /**
     * The maximum number of cells per side of a share's tile: with larger tiles, computing the first panels takes
     * longer, and no products can run meanwhile.
     */
    private static final int MAX_EDGE_OF_SHARE = 4_096;

    /**
     * The minimum number of rounds of shares; with fewer, the first and last rounds, in which GPUs wait for each other,
     * would take much of the time.
     */
    private static final int MIN_ROUNDS_OF_SHARE = 16;

    private LevelSizes() {}

    /** Returns the size of a large tile on a GPU in bytes. */
    static long bytes(TiledProblem<?> problem, int parts) {
        return (long) parts * parts * problem.bytesOnGpu();
    }

    /**
     * Returns the number of tiles per side of a large tile that suits the given GPU memory. Within the limits on cells
     * per side and on rounds, this is the largest number for which the lines of a round leave room for other tiles or,
     * with {@link Pattern#TRIANGLE}, for which at least {@value #MIN_IN_TRIANGLE} large tiles fit.
     *
     * @return a power of 2
     */
    public static int parts(TiledProblem<?> problem, long gpuMemory) {
        int parts = problem.fewestParts();
        while (2 * parts * problem.edge() <= MAX_EDGE
                && 2 * parts * MIN_ROUNDS <= problem.side()
                && hasRoom(problem, 2 * parts, gpuMemory)) {
            parts *= 2;
        }
        return parts;
    }

    private static boolean hasRoom(TiledProblem<?> problem, int parts, long gpuMemory) {
        if (problem.pattern() == Pattern.TRIANGLE) {
            return MIN_IN_TRIANGLE * (double) bytes(problem, parts) <= gpuMemory;
        }
        double lines = linesOfRound(problem) * problem.side() * parts * problem.bytesOnGpu();
        return lines <= (1 - MOVING) * gpuMemory;
    }

    /**
     * Returns the number of lines (rows and columns) of tiles that a round reads. With {@link Pattern#PREFIXES}, a
     * round reads an antidiagonal, which has at most as many tiles as a line.
     */
    private static double linesOfRound(TiledProblem<?> problem) {
        return problem.pattern() == Pattern.PREFIXES ? 1 : 2;
    }

    /**
     * Returns the minimum GPU memory for computing a table, in bytes.
     *
     * @param parts the number of tiles per side of a large tile
     */
    public static long minMemory(TiledProblem<?> problem, int parts) {
        return problem.pattern().tilesOfTask() * bytes(problem, parts);
    }

    /**
     * Returns the number of tiles per side of a large tile in a share.
     *
     * @return a power of 2
     */
    public static int partsOfShares(TiledProblem<?> problem) {
        int parts = problem.fewestParts();
        while (2 * parts * problem.edge() <= MAX_EDGE_OF_SHARE && 2 * parts * MIN_ROUNDS_OF_SHARE <= problem.side()) {
            parts *= 2;
        }
        return parts;
    }

    /** Returns the number of arrays in a share: its tiles, and the panels of {@value #ROUNDS} rounds. */
    static int slotsOfShare(TiledProblem<?> problem, int parts, int mostTiles) {
        // for kernel A, one more panel in each direction is stored
        return mostTiles + ROUNDS * 2 * (Grid.tiles(problem.side(), parts) + 1);
    }

    /** Returns the GPU memory that a share needs, in bytes. */
    public static long bytesOfShare(TiledProblem<?> problem, int parts, int mostTiles) {
        return slotsOfShare(problem, parts, mostTiles) * bytes(problem, parts);
    }
}
