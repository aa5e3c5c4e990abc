package dev.bellman.columns;

import ai.rapids.cudf.DeviceMemoryBuffer;

/**
 * The offsets of a column of strings or lists.
 *
 * @param buffer one int32 more than rows, the first zero, the last {@code total}
 * @param total bytes of the strings, elements of the lists
 */
public record Offsets(DeviceMemoryBuffer buffer, int total) {}
