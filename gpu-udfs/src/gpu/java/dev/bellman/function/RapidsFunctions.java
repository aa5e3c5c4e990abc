package dev.bellman.function;

import com.nvidia.spark.rapids.ExplainPlan;
import dev.bellman.columns.GpuFunctions;
import dev.bellman.columns.SolverCall;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Provides functions that RAPIDS can run if RAPIDS is on the class path. */
public final class RapidsFunctions implements GpuFunctions {
    private final boolean hasRapids = hasRapids();

    private static boolean hasRapids() {
        try {
            Class.forName("com.nvidia.spark.RapidsUDF", false, RapidsFunctions.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public SolverCall withKernel(SolverCall call) {
        return hasRapids ? GpuCall.of(call) : call;
    }

    @Override
    public String whyNotOnGpu(Dataset<Row> query) {
        return ExplainPlan.explainPotentialGpuPlan(query, "NOT");
    }
}
