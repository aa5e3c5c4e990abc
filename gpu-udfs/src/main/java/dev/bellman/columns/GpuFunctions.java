package dev.bellman.columns;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The GPU component that runs functions. */
public interface GpuFunctions {
    /** Returns a call whose kernel RAPIDS can find, or the call itself if RAPIDS is absent. */
    SolverCall withKernel(SolverCall call);

    /** Returns RAPIDS' reasons why parts of a query do not run on the GPU. */
    String whyNotOnGpu(Dataset<Row> query);
}
