package dev.bellman.columns;

import java.io.Serializable;

/** A function that the GPU side has kernels for. */
public interface ColumnarFunction extends Serializable {
    /** Whether it has one for the function's strategy. If not, the function runs on the CPU. */
    default boolean hasKernel() {
        return true;
    }
}
