package dev.bellman.large.file;

import java.nio.ByteBuffer;

/** Neighbouring cells of a row of a table, of 8 bytes each. */
public interface Strip {
    /** Counted from 0. */
    int row();

    /** The column of the first cell, counted from 0. */
    int column();

    /** The number of cells. */
    int count();

    /** Writes some of the cells. */
    void write(int from, int cells, ByteBuffer to);
}
