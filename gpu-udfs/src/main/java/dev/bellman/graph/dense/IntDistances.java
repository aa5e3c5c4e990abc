package dev.bellman.graph.dense;

import dev.bellman.large.tiles.TileRows;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Computes distances as 32-bit integers. The number of vertices times the largest magnitude of a weight must be below
 * {@code UNREACHED / 2}.
 */
public final class IntDistances extends Distances<int[][]> {
    /**
     * The value for a missing edge. The sum of two such values does not overflow. If there is no path, negative weights
     * can make a cell smaller than this value ({@link #reaches}).
     */
    public static final int UNREACHED = 1 << 29;

    /** Creates a table with no edges. */
    public IntDistances(int vertices) {
        super(vertices, () -> {
            int[][] tile = new int[EDGE][EDGE];
            for (int[] row : tile) {
                Arrays.fill(row, UNREACHED);
            }
            return tile;
        });
    }

    public int get(int from, int to) {
        return tile(from, to)[from % EDGE][to % EDGE];
    }

    public void set(int from, int to, int length) {
        tile(from, to)[from % EDGE][to % EDGE] = length;
    }

    /** Whether a result of {@link #get} is the length of a path. */
    public static boolean reaches(int length) {
        return length < UNREACHED / 2;
    }

    @Override
    long cell(int[][] tile, int row, int column) {
        return tile[row][column];
    }

    @Override
    void setCell(int[][] tile, int row, int column, long value) {
        tile[row][column] = (int) value;
    }

    @Override
    void write(int[][] tile, ByteBuffer to) {
        TileRows.write(tile, to);
    }

    @Override
    int[][] read(ByteBuffer from) {
        return TileRows.read(new int[EDGE][EDGE], from);
    }

    @Override
    int close(int[][] tile) {
        for (int k = 0; k < EDGE; k++) {
            if (tile[k][k] < 0) {
                return k;
            }
            for (int[] row : tile) {
                relax(row, row[k], tile[k]);
            }
        }
        return NONE;
    }

    @Override
    void finishRows(int[][] tile, int[][] pivot) {
        for (int k = 0; k < EDGE; k++) {
            for (int i = 0; i < EDGE; i++) {
                relax(tile[i], pivot[i][k], tile[k]);
            }
        }
    }

    @Override
    void finishColumns(int[][] tile, int[][] pivot) {
        addProduct(tile, tile, pivot);
    }

    @Override
    void addProduct(int[][] tile, int[][] left, int[][] above) {
        for (int i = 0; i < EDGE; i++) {
            for (int k = 0; k < EDGE; k++) {
                relax(tile[i], left[i][k], above[k]);
            }
        }
    }

    /**
     * Computes minima without branches. Differences do not overflow. Java 17's C2 compiler vectorizes this loop, but
     * not a loop with {@code Math.min}.
     */
    private static void relax(int[] row, int left, int... above) {
        for (int j = 0; j < row.length; j++) {
            int difference = left + above[j] - row[j];
            row[j] += difference & difference >> Integer.SIZE - 1;
        }
    }
}
