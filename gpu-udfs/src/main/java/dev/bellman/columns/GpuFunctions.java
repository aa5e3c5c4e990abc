package dev.bellman.columns;

import dev.bellman.GpuSide;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The GPU component that runs functions. Wraps functions in objects in which RAPIDS can find their kernels. */
public interface GpuFunctions {
    /** Wraps a function in an object that RAPIDS can run on a GPU. */
    Optional<AnyUdf> withKernels(String name, ColumnarFunction function, AnyUdf.Call onCpu);

    /** Returns RAPIDS' reasons why parts of a query do not run on the GPU. */
    String whyNotOnGpu(Dataset<Row> query);

    /**
     * Returns the function that Spark should call: a wrapper that RAPIDS can run on a GPU, or the function itself if
     * RAPIDS, the GPU classes or a kernel is missing.
     */
    static Object udf(String name, Object function, AnyUdf.Call onCpu) {
        return function instanceof ColumnarFunction columnar && columnar.hasKernel()
                ? GpuSide.find(GpuFunctions.class)
                        .flatMap(gpu -> gpu.withKernels(name, columnar, onCpu))
                        .map(Object.class::cast)
                        .orElse(function)
                : function;
    }
}
