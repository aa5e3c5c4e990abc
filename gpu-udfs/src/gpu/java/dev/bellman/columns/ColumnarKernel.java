package dev.bellman.columns;

/**
 * The GPU implementation of a function. Chooses kernels and launch shapes for a batch's instances, and launches the
 * kernels.
 */
@FunctionalInterface
public interface ColumnarKernel {
    /**
     * Evaluates a batch of at least one row. May be called again for the same rows, or for half of them, after memory
     * ran out.
     *
     * @return the values of the result, in the type of the call's result; their null mask is {@link Batch#validity}
     */
    Result evaluate(Batch batch);
}
