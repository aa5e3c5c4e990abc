package dev.bellman.recurrence.instance;

import java.util.List;

/**
 * The rows of a batch in device memory.
 *
 * @param count the number of rows, including those without a table
 * @param address the address of the {@link DeviceInstance} of each row
 * @param offsetOffsets the address of an int32 array that contains the index at which each row's offsets start
 * @param offsets the total number of offsets
 * @param large the rows for which using the whole device pays off
 */
public record DeviceRows(int count, long address, long offsetOffsets, int offsets, List<Large> large) {
    /** A row that the whole device solves. */
    public record Large(int row, DeviceInstance instance) {}
}
