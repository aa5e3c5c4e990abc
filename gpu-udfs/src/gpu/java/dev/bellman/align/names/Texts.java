package dev.bellman.align.names;

import dev.bellman.columns.DeviceColumn;

/** A column of strings, in the layout of {@code Texts} in {@code align/names/texts.cuh}. */
record Texts(long offsets, long bytes) {
    static Texts of(DeviceColumn column) {
        return new Texts(column.offsets(), column.values());
    }
}
