package dev.bellman.columns;

import ai.rapids.cudf.ColumnVector;
import com.nvidia.spark.RapidsUDF;
import org.apache.spark.sql.types.DataType;

/** A function that RAPIDS can run on the GPU, one batch of rows at a time. */
public interface KernelFunction extends RapidsUDF {
    /** Returns the GPU implementation of the function. Called for every batch, on the executor. */
    ColumnarKernel kernel();

    /** Returns the type of the function's result. */
    DataType resultType();

    @Override
    default ColumnVector evaluateColumnar(int rows, ColumnVector... arguments) {
        return Batch.evaluate(kernel(), Types.of(resultType()), rows, arguments);
    }
}
