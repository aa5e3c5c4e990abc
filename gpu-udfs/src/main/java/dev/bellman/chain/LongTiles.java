package dev.bellman.chain;

import dev.bellman.tiles.Tile;
import dev.bellman.tiles.TileKernel;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Tiles of 64-bit integers, as their rows. */
public abstract class LongTiles extends ParenthesizationTiles<long[][]> {
    private static final long serialVersionUID = 1L;

    /** A cost before its first candidate. */
    private final long none;

    /** @param none a cost before its first candidate */
    protected LongTiles(int leaves, long none) {
        super(leaves);
        this.none = none;
    }

    /** The cost of a leaf, counted from 1. */
    protected abstract long leaf(int leaf);

    protected static long cost(long[][] tile, int i, int j) {
        return tile[i % EDGE][j % EDGE];
    }

    @Override
    public long[][] make(Tile tile) {
        long[][] made = new long[EDGE][EDGE];
        for (int row = 0; row < EDGE; row++) {
            Arrays.fill(made[row], none);
            int i = tile.row() * EDGE + row;
            if (i < leaves && (i + 1) / EDGE == tile.column()) {
                made[row][(i + 1) % EDGE] = leaf(i + 1);
            }
        }
        return made;
    }

    @Override
    public int bytes() {
        return EDGE * EDGE * Long.BYTES;
    }

    @Override
    public void write(long[][] tile, ByteBuffer to) {
        for (long[] row : tile) {
            to.asLongBuffer().put(row);
            to.position(to.position() + EDGE * Long.BYTES);
        }
    }

    @Override
    public long[][] read(ByteBuffer from) {
        long[][] tile = new long[bytes() / Long.BYTES / EDGE][EDGE];
        for (long[] row : tile) {
            from.asLongBuffer().get(row);
            from.position(from.position() + EDGE * Long.BYTES);
        }
        return tile;
    }

    @Override
    public void writePanel(TileKernel kernel, long[][] tile, ByteBuffer to) {
        write(tile, to);
    }

    @Override
    public long[][] readPanel(TileKernel kernel, ByteBuffer from) {
        return read(from);
    }
}
