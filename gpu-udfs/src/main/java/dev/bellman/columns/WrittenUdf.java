package dev.bellman.columns;

import java.io.Serializable;

/**
 * A function with kernels as it is sent to executors. An executor without RAPIDS or the GPU side reads the function
 * itself.
 */
public record WrittenUdf(String name, ColumnarFunction function, AnyUdf.Call onCpu) implements Serializable {
    private Object readResolve() {
        return GpuFunctions.udf(name, function, onCpu);
    }
}
