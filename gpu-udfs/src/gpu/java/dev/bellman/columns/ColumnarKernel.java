package dev.bellman.columns;

import ai.rapids.cudf.HostColumnVector.DataType;

/**
 * The GPU implementation of a function. Chooses kernels and launch shapes for the instances of a batch, and launches
 * the kernels.
 */
public interface ColumnarKernel {
    /** Returns the cudf type that the result of {@link #evaluate} must have. */
    DataType type();

    /**
     * Evaluates a batch of at least one row. May be called again for the same rows, or for half of them, when memory
     * runs out.
     *
     * @return the values of the result; {@link Batch#validity} becomes its null mask
     */
    Result evaluate(Batch batch);
}
