package dev.bellman.graph.dense;

import dev.bellman.large.tiles.TileRows;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Computes distances as 64-bit integers, which are lengths of paths or keys of paths. The lowest bits of a key describe
 * only the first edge of a path: a path's key is the key of its first edge plus the sum of the other edges' keys
 * without these bits. With keys, no cell (k, k) is set, and every cycle that is not negative has a positive key.
 *
 * <p>The number of vertices times the largest magnitude of a length or key must be below {@code UNREACHED / 2}.
 */
public final class LongDistances extends Distances<long[][]> {
    /**
     * The value for a missing edge. The sum of two such values does not overflow. If there is no path, negative weights
     * can make a cell smaller than this value ({@link #reaches}).
     */
    public static final long UNREACHED = 1L << 61;

    private final long mask;

    /**
     * Creates the table for a graph without edges.
     *
     * @param bits the number of lowest bits that describe only the first edge; 0 if the cells are path lengths
     */
    public LongDistances(int vertices, int bits) {
        super(vertices, () -> {
            long[][] tile = new long[EDGE][EDGE];
            for (long[] row : tile) {
                Arrays.fill(row, UNREACHED);
            }
            return tile;
        });
        mask = -1L << bits;
    }

    public long get(int from, int to) {
        return tile(from, to)[from % EDGE][to % EDGE];
    }

    public void set(int from, int to, long length) {
        tile(from, to)[from % EDGE][to % EDGE] = length;
    }

    /** Whether a result of {@link #get} is the length or key of a path. */
    public static boolean reaches(long length) {
        return length < UNREACHED / 2;
    }

    @Override
    long cell(long[][] tile, int row, int column) {
        return tile[row][column];
    }

    @Override
    void setCell(long[][] tile, int row, int column, long value) {
        tile[row][column] = value;
    }

    @Override
    void write(long[][] tile, ByteBuffer to) {
        TileRows.write(tile, to);
    }

    @Override
    long[][] read(ByteBuffer from) {
        return TileRows.read(new long[EDGE][EDGE], from);
    }

    @Override
    int close(long[][] tile) {
        for (int k = 0; k < EDGE; k++) {
            if (tile[k][k] < 0) {
                return k;
            }
            for (long[] row : tile) {
                relax(row, row[k], mask, tile[k]);
            }
        }
        return NONE;
    }

    @Override
    void finishRows(long[][] tile, long[][] pivot) {
        for (int k = 0; k < EDGE; k++) {
            for (int i = 0; i < EDGE; i++) {
                relax(tile[i], pivot[i][k], mask, tile[k]);
            }
        }
    }

    @Override
    void finishColumns(long[][] tile, long[][] pivot) {
        addProduct(tile, tile, pivot);
    }

    @Override
    void addProduct(long[][] tile, long[][] left, long[][] above) {
        for (int i = 0; i < EDGE; i++) {
            for (int k = 0; k < EDGE; k++) {
                relax(tile[i], left[i][k], mask, above[k]);
            }
        }
    }

    /** Computes minima without branches, as in {@link IntDistances}. */
    private static void relax(long[] row, long left, long mask, long... above) {
        for (int j = 0; j < row.length; j++) {
            long difference = left + (above[j] & mask) - row[j];
            row[j] += difference & difference >> Long.SIZE - 1;
        }
    }
}
