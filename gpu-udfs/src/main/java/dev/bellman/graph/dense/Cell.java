package dev.bellman.graph.dense;

import java.util.Locale;

/**
 * The type of a table's cells. The bounds and the values for a missing edge are those of {@link IntDistances}, {@link
 * LongDistances} and {@link DoubleDistances}.
 */
public enum Cell {
    INT32(Integer.BYTES),
    INT64(Long.BYTES),
    DOUBLE(Double.BYTES);

    private final int bytes;

    Cell(int bytes) {
        this.bytes = bytes;
    }

    public int bytes() {
        return bytes;
    }

    String name(String what) {
        return "distances_%s_%s".formatted(name().toLowerCase(Locale.ROOT), what);
    }
}
