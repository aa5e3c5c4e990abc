package dev.bellman.columns;

/** How a function's kernels take the values of a parameter. */
public enum OnGpu {
    /** As a column. RAPIDS copies a constant to every row. */
    COLUMN,
    /** As a part of the call if the value is constant, otherwise as a column. */
    CONSTANT_OR_COLUMN,
    /** As a part of the call. Calls in which the value is not constant run on the CPU. */
    CONSTANT,
    /** Not at all. Calls that pass a value run on the CPU. */
    NEVER
}
