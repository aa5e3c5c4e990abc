package dev.bellman.large.file;

import java.nio.ByteBuffer;

/**
 * Adjacent entries in one row of a matrix.
 *
 * @param row the row, counted from 0
 * @param column the column of the first entry, counted from 0
 */
public record MatrixStrip(int row, int column, double[] values) implements Strip {
    @Override
    public int count() {
        return values.length;
    }

    @Override
    public void write(int from, int cells, ByteBuffer to) {
        to.asDoubleBuffer().put(values, from, cells);
    }
}
