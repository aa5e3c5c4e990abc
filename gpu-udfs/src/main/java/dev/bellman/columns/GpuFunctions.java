package dev.bellman.columns;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The GPU component that makes functions available to RAPIDS, and explains why parts of a query run on the CPU. */
public interface GpuFunctions {
    /** Returns a call whose kernel RAPIDS can find; without RAPIDS, returns the call unchanged. */
    SolverCall withKernel(SolverCall call);

    /** Returns the reasons that RAPIDS gives for running parts of a query on the CPU. */
    String whyNotOnGpu(Dataset<Row> query);
}
