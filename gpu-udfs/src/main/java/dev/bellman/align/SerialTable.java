package dev.bellman.align;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;

/** Stores the move for each cell of a textbook table, one byte per cell. */
public final class SerialTable {
    /** The maximum number of cells in a table, 64 Mi. */
    public static final long MAX_CELLS = 1 << 26;

    /** An estimate of the bytes that a row's array takes in addition to its cells. */
    private static final long ROW_BYTES = 24;

    private static final Move[] MOVES = Move.values();

    private final byte[][] moves;

    /**
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the table would have more than {@link #MAX_CELLS}
     *     cells
     */
    public SerialTable(String function, int n, int m) {
        check(function, n, m, 1, "bit-parallel");
        moves = new byte[n][m];
    }

    /**
     * Checks the size of a table, and reserves memory for it.
     *
     * @param cellBytes the number of bytes per cell
     * @param unlimited the name of a strategy without this limit, which the messages suggest
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the table would have more than {@link #MAX_CELLS}
     *     cells
     */
    public static void check(String function, int n, int m, int cellBytes, String unlimited) {
        long cells = (long) n * m;
        if (cells > MAX_CELLS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: without its common prefix and suffix, the pair has %,d x %,d characters or tokens; this "
                                    + "strategy supports tables of at most %,d cells. Use the strategy %s, which has "
                                    + "no such limit")
                            .formatted(function, n, m, MAX_CELLS, unlimited));
        }
        TaskMemory.take(
                function,
                cellBytes * cells + ROW_BYTES * n,
                "the strategy %s, ".formatted(unlimited),
                () -> "the table of %,d x %,d cells".formatted(n, m));
    }

    public void put(int i, int j, Move move) {
        moves[i][j] = (byte) move.ordinal();
    }

    public Move get(int i, int j) {
        return MOVES[moves[i][j]];
    }
}
