package dev.bellman.large.levels;

import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.TiledProblem;

/** The sizes of large tiles for a {@link LevelTable}, and the memory of a GPU that they need. */
public final class LevelSizes {
    /** Cells per side of the largest tiles that are worth it: beyond, copies are hidden behind the tasks by far. */
    private static final int MAX_EDGE = 8_192;

    /** The least share of the GPU's memory for tiles that come and go, as the lines of a round take the rest. */
    static final double MOVING = 0.3;

    /** Rounds whose panels a share has: the products of one may still run while the next one begins. */
    static final int ROUNDS = 2;

    /** Rounds, below which too many tiles would be worked on one after another. */
    private static final int MIN_ROUNDS = 4;

    /**
     * Tiles of {@link Pattern#TRIANGLE} on the GPU, below which smaller ones are better: each of a task's three would
     * have to come up first.
     */
    private static final int MIN_IN_TRIANGLE = 24;

    /** As above, of shares: beyond, the first panels take longer, and no product runs meanwhile. */
    private static final int MAX_EDGE_OF_SHARE = 4_096;

    /** Rounds, below which the first and the last, where GPUs wait for others, would be much of the time. */
    private static final int MIN_ROUNDS_OF_SHARE = 16;

    private LevelSizes() {}

    /** Bytes of a large tile on a GPU. */
    static long bytes(TiledProblem<?> problem, int parts) {
        return (long) parts * parts * problem.bytesOnGpu();
    }

    /**
     * Tiles per side of a large tile for this much memory of a GPU: the largest for which the lines of a round leave
     * room for others, or, for {@link Pattern#TRIANGLE}, for which it has room for {@value #MIN_IN_TRIANGLE}.
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
     * The rows and columns of tiles that a round reads. With {@link Pattern#PREFIXES}, a tile is read by the tiles of
     * its row and of its column.
     */
    private static double linesOfRound(TiledProblem<?> problem) {
        return problem.pattern() == Pattern.PREFIXES ? 1 : 2;
    }

    /**
     * The bytes of a GPU with which a table can be computed at all.
     *
     * @param parts tiles per side of a large tile
     */
    public static long minMemory(TiledProblem<?> problem, int parts) {
        return problem.pattern().tilesOfTask() * bytes(problem, parts);
    }

    /**
     * Tiles per side of a large tile of shares.
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

    /** The arrays of a share: its tiles, and the panels of some rounds. */
    static int slotsOfShare(TiledProblem<?> problem, int parts, int mostTiles) {
        // A has one more in both directions
        return mostTiles + ROUNDS * 2 * (Grid.tiles(problem.side(), parts) + 1);
    }

    /** Bytes of the GPU for a share. */
    public static long bytesOfShare(TiledProblem<?> problem, int parts, int mostTiles) {
        return slotsOfShare(problem, parts, mostTiles) * bytes(problem, parts);
    }
}
