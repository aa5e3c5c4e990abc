package dev.bellman.columns;

import java.io.Serializable;

/** A function with kernels on the GPU side. */
public interface ColumnarFunction extends Serializable {
    /** Whether the function's strategy has a kernel. If not, the function runs on the CPU. */
    default boolean hasKernel() {
        return true;
    }
}
