package dev.bellman.linear;

import dev.bellman.columns.DeviceColumn;

/** A column of right-hand sides. */
record Vectors(long offsets, long validity, long values) {
    static Vectors of(DeviceColumn lists) {
        DeviceColumn entries = lists.elements();
        return new Vectors(lists.offsets(), entries.validity(), entries.values());
    }
}
