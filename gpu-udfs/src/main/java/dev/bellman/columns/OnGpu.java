package dev.bellman.columns;

/** Defines how a function's kernels take the values of a parameter. */
public enum OnGpu {
    /** Kernels take a column. RAPIDS copies a constant to every row. */
    COLUMN,
    /** Kernels take a constant value as a part of the call, and other values as a column. */
    CONSTANT_OR_COLUMN,
    /** Kernels take the value as a part of the call. Calls in which the value is not constant run on the CPU. */
    CONSTANT,
    /** Kernels do not take the value. Calls that pass it run on the CPU. */
    NEVER
}
