package dev.bellman.linear;

import dev.bellman.columns.DeviceColumn;

/** A column of matrices, which are lists of rows. */
record Matrices(long offsets, long rowValidity, long rowOffsets, long entryValidity, long entries) {
    static Matrices of(DeviceColumn lists) {
        DeviceColumn rows = lists.elements();
        DeviceColumn entries = rows.elements();
        return new Matrices(lists.offsets(), rows.validity(), rows.offsets(), entries.validity(), entries.values());
    }
}
