package dev.bellman.large.tiles;

import java.nio.ByteBuffer;

/** Writes and reads the rows of tiles in a buffer's byte order. The methods that read return their array. */
public final class TileRows {
    private TileRows() {}

    public static void write(int[][] rows, ByteBuffer to) {
        for (int[] row : rows) {
            to.asIntBuffer().put(row);
            to.position(to.position() + row.length * Integer.BYTES);
        }
    }

    public static int[][] read(int[][] rows, ByteBuffer from) {
        for (int[] row : rows) {
            from.asIntBuffer().get(row);
            from.position(from.position() + row.length * Integer.BYTES);
        }
        return rows;
    }

    public static void write(long[][] rows, ByteBuffer to) {
        for (long[] row : rows) {
            to.asLongBuffer().put(row);
            to.position(to.position() + row.length * Long.BYTES);
        }
    }

    public static long[][] read(long[][] rows, ByteBuffer from) {
        for (long[] row : rows) {
            from.asLongBuffer().get(row);
            from.position(from.position() + row.length * Long.BYTES);
        }
        return rows;
    }

    public static void write(double[][] rows, ByteBuffer to) {
        for (double[] row : rows) {
            to.asDoubleBuffer().put(row);
            to.position(to.position() + row.length * Double.BYTES);
        }
    }

    public static double[][] read(double[][] rows, ByteBuffer from) {
        for (double[] row : rows) {
            from.asDoubleBuffer().get(row);
            from.position(from.position() + row.length * Double.BYTES);
        }
        return rows;
    }
}
