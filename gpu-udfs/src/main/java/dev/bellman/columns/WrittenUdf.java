package dev.bellman.columns;

import java.io.Serializable;

/**
 * The serialized form of a function with kernels. An executor without RAPIDS or the GPU classes deserializes the
 * function itself.
 */
public record WrittenUdf(String name, ColumnarFunction function, AnyUdf.Call onCpu) implements Serializable {
    private Object readResolve() {
        return GpuFunctions.udf(name, function, onCpu);
    }
}
