package dev.bellman.large.file;

import java.nio.ByteBuffer;

/** Adjacent cells in a row of a table, 8 bytes each. */
public interface Strip {
    /** Returns the row, counted from 0. */
    int row();

    /** Returns the column of the first cell, counted from 0. */
    int column();

    /** Returns the number of cells. */
    int count();

    /** Writes some of the cells. */
    void write(int from, int cells, ByteBuffer to);
}
