package dev.bellman.columns;

import dev.bellman.GpuSide;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The part of the GPU side that runs functions: it wraps them in objects in which RAPIDS finds their kernels. */
public interface GpuFunctions {
    /**
     * A function that RAPIDS can run on a GPU.
     *
     * @param name of the kernels: the function's name in SQL
     * @param function a {@code UDFn} of Spark
     * @param onCpu calls the function
     * @return empty if there is no RAPIDS
     */
    Optional<AnyUdf> withKernels(String name, ColumnarFunction function, AnyUdf.Call onCpu);

    /** RAPIDS' reasons for each part of a query that does not run on the GPU. */
    String whyNotOnGpu(Dataset<Row> query);

    /**
     * Returns the function for Spark to call: one that RAPIDS can run on a GPU, or the function itself without RAPIDS,
     * a GPU side or a kernel.
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
