package dev.bellman.chain;

import dev.bellman.tiles.Tile;
import dev.bellman.tiles.TileKernel;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Tiles of 64-bit integers, as their rows: those of the costs, and, if weights are given, as many of these. */
public abstract class LongTiles extends ParenthesizationTiles<long[][]> {
    private static final long serialVersionUID = 1L;

    /** A cost before its first candidate. */
    private final long none;

    private final int rows;

    /**
     * Tiles of a table.
     *
     * @param none a cost before its first candidate
     * @param weighted whether weights are given
     */
    protected LongTiles(int leaves, long none, boolean weighted) {
        super(leaves);
        this.none = none;
        rows = weighted ? 2 * EDGE : EDGE;
    }

    protected static long cost(long[][] tile, int i, int j) {
        return tile[i % EDGE][j % EDGE];
    }

    @Override
    public long[][] make(Tile tile) {
        long[][] made = new long[rows][EDGE];
        for (int row = 0; row < EDGE; row++) {
            Arrays.fill(made[row], none);
        }
        return made;
    }

    @Override
    public final int bytes() {
        return rows * EDGE * Long.BYTES;
    }

    private static void write(long[][] tile, int rows, ByteBuffer to) {
        for (int row = 0; row < rows; row++) {
            to.asLongBuffer().put(tile[row]);
            to.position(to.position() + EDGE * Long.BYTES);
        }
    }

    private static long[][] read(int rows, ByteBuffer from) {
        long[][] tile = new long[rows][EDGE];
        for (long[] row : tile) {
            from.asLongBuffer().get(row);
            from.position(from.position() + EDGE * Long.BYTES);
        }
        return tile;
    }

    @Override
    public final void write(long[][] tile, ByteBuffer to) {
        write(tile, rows, to);
    }

    @Override
    public final long[][] read(ByteBuffer from) {
        return read(rows, from);
    }

    @Override
    public final void writePanel(TileKernel kernel, long[][] tile, ByteBuffer to) {
        write(tile, EDGE, to);
    }

    @Override
    public final long[][] readPanel(TileKernel kernel, ByteBuffer from) {
        return read(EDGE, from);
    }
}
