package dev.bellman.recurrence.instance;

import java.util.List;

/**
 * The rows of a batch in device memory.
 *
 * @param count how many rows there are, also those without a table
 * @param address of the {@link DeviceInstance} of each row
 * @param offsetOffsets the address of where the offsets of each row begin, int32
 * @param offsets how many offsets all rows have
 * @param large the rows that are worth the whole device
 */
public record DeviceRows(int count, long address, long offsetOffsets, int offsets, List<Large> large) {
    /** A row by itself. */
    public record Large(int row, DeviceInstance instance) {}
}
