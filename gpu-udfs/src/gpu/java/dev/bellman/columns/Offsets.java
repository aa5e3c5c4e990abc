package dev.bellman.columns;

import ai.rapids.cudf.DeviceMemoryBuffer;

/**
 * The offsets of a column of strings or lists.
 *
 * @param buffer one more int32 than there are rows; the first is 0, the last is {@code total}
 * @param total the total number of bytes in the strings, or of elements in the lists
 */
public record Offsets(DeviceMemoryBuffer buffer, int total) {}
