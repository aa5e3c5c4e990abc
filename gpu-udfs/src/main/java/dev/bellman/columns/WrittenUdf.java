package dev.bellman.columns;

import java.io.Serializable;

/**
 * The form in which a function with kernels is sent to executors. An executor without RAPIDS or the GPU classes reads
 * the function itself.
 */
public record WrittenUdf(String name, ColumnarFunction function, AnyUdf.Call onCpu) implements Serializable {
    private Object readResolve() {
        return GpuFunctions.udf(name, function, onCpu);
    }
}
