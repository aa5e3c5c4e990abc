package dev.bellman.large.file;

import java.nio.ByteBuffer;

/** Adjacent cells in one row of a table; each has 8 bytes. */
public interface Strip {
    /** Returns the index of the row, counted from 0. */
    int row();

    /** Returns the column of the first cell, counted from 0. */
    int column();

    /** Returns the number of cells. */
    int count();

    /** Writes {@code cells} cells, beginning with the cell at index {@code from} of the strip. */
    void write(int from, int cells, ByteBuffer to);
}
