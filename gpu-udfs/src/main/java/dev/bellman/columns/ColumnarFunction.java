package dev.bellman.columns;

import ai.rapids.cudf.ColumnVector;
import com.nvidia.spark.RapidsUDF;

/**
 * A function that RAPIDS can run on the GPU, one batch of rows at a time.
 *
 * <p>An implementing class must not name a cudf class: Spark serialises a function, Java's serialisation resolves the types in all methods that the
 * class declares, and Spark without RAPIDS has no cudf. So the class declares only {@link #kernel}.
 */
public interface ColumnarFunction extends RapidsUDF {
    /** The function on the GPU. Called for every batch, on the executor. */
    ColumnarKernel kernel();

    /** Whether the function's strategy exists on the GPU. If not, RAPIDS is not shown the function, and it runs on the CPU. */
    default boolean hasKernel() {
        return true;
    }

    @Override
    default ColumnVector evaluateColumnar(int rows, ColumnVector... arguments) {
        return Batch.evaluate(kernel(), rows, arguments);
    }
}
