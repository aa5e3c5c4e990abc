package dev.bellman.columns;

import ai.rapids.cudf.HostColumnVector.DataType;

/**
 * The GPU implementation of a function. Chooses kernels and launch shapes for a batch's instances, and launches the
 * kernels.
 */
public interface ColumnarKernel {
    /** Returns the cudf type that the result of {@link #evaluate} must have. */
    DataType type();

    /**
     * Evaluates a batch of at least one row. May be called again for the same rows, or for half of them, after memory
     * ran out.
     *
     * @return the values of the result, whose null mask is {@link Batch#validity}
     */
    Result evaluate(Batch batch);
}
