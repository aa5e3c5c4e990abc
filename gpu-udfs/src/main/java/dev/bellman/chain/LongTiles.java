package dev.bellman.chain;

import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TileRows;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Tiles of 64-bit integers: the rows of costs, followed by the rows of weights if there are any. */
public abstract class LongTiles extends ParenthesizationTiles<long[][]> {
    private static final long serialVersionUID = 1L;

    /** The largest integer up to which a double represents every integer exactly. */
    private static final long EXACT_DOUBLE = 1L << 53;

    /** The initial value of a cost, before any candidate. */
    private final long none;

    private final TableKind kind;

    private final int rows;

    /**
     * Creates the tiles of a table.
     *
     * @param none the initial value of a cost, before any candidate
     * @param weighted whether weights are given
     * @param bound an upper bound on each candidate; negative if a candidate may exceed 63 bits
     */
    protected LongTiles(int leaves, long none, boolean weighted, long bound) {
        super(leaves);
        this.none = none;
        rows = weighted ? 2 * EDGE : EDGE;
        if (bound >= 0 && bound < Integer.MAX_VALUE) {
            kind = weighted ? TableKind.RANGES_INT32 : TableKind.CHAIN_INT32;
        } else if (bound >= 0 && bound < EXACT_DOUBLE) {
            kind = weighted ? TableKind.RANGES_FLOAT64 : TableKind.CHAIN_FLOAT64;
        } else {
            kind = weighted ? TableKind.RANGES_SATURATING : TableKind.CHAIN_SATURATING;
        }
    }

    @Override
    protected final TableKind kind() {
        return kind;
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

    @Override
    public final void write(long[][] tile, ByteBuffer to) {
        TileRows.write(tile, to);
    }

    @Override
    public final long[][] read(ByteBuffer from) {
        return TileRows.read(new long[rows][EDGE], from);
    }

    /**
     * Writes a tile. A cost that has no candidate yet is written as the largest int, as infinity or, among 64-bit
     * integers, as -1.
     */
    @Override
    public final void writeForGpu(long[][] tile, ByteBuffer to) {
        for (int row = 0; row < rows; row++) {
            boolean costs = row < EDGE;
            for (long value : tile[row]) {
                boolean isNone = costs && value == none;
                switch (kind) {
                    case CHAIN_INT32, RANGES_INT32 -> to.putInt(isNone ? Integer.MAX_VALUE : (int) value);
                    case CHAIN_FLOAT64, RANGES_FLOAT64 -> to.putDouble(isNone ? Double.POSITIVE_INFINITY : value);
                    default -> to.putLong(isNone ? -1 : value);
                }
            }
        }
    }

    @Override
    public final long[][] readFromGpu(ByteBuffer from) {
        long[][] tile = new long[rows][EDGE];
        for (int row = 0; row < rows; row++) {
            boolean costs = row < EDGE;
            for (int column = 0; column < EDGE; column++) {
                tile[row][column] = switch (kind) {
                    case CHAIN_INT32, RANGES_INT32 -> {
                        int value = from.getInt();
                        yield costs && value == Integer.MAX_VALUE ? none : value;
                    }
                    case CHAIN_FLOAT64, RANGES_FLOAT64 -> {
                        double value = from.getDouble();
                        yield costs && value == Double.POSITIVE_INFINITY ? none : (long) value;
                    }
                    default -> {
                        long value = from.getLong();
                        yield costs && value < 0 ? none : value;
                    }
                };
            }
        }
        return tile;
    }

    @Override
    public final void writePanel(TileKernel kernel, long[][] tile, ByteBuffer to) {
        TileRows.write(Arrays.copyOf(tile, EDGE), to);
    }

    @Override
    public final long[][] readPanel(TileKernel kernel, ByteBuffer from) {
        return TileRows.read(new long[EDGE][EDGE], from);
    }
}
