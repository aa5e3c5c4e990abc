package dev.bellman.columns;

import ai.rapids.cudf.ColumnVector;
import com.nvidia.spark.RapidsUDF;

/** A function that RAPIDS can run on the GPU, one batch of rows at a time. */
@FunctionalInterface
public interface KernelFunction extends RapidsUDF {
    /** Returns the GPU implementation of the function. Called for every batch, on the executor. */
    ColumnarKernel kernel();

    @Override
    default ColumnVector evaluateColumnar(int rows, ColumnVector... arguments) {
        return Batch.evaluate(kernel(), rows, arguments);
    }
}
