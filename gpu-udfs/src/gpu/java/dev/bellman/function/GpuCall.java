package dev.bellman.function;

import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.KernelFunction;
import dev.bellman.columns.SolverCall;

/** A call that Spark can run on the CPU and RAPIDS can run on the GPU. */
final class GpuCall extends SolverCall implements KernelFunction {
    private static final long serialVersionUID = 1L;

    GpuCall(SolverCall call) {
        super(call);
    }

    /**
     * Returns the call together with its kernel. The result type is chosen so that the JVM can verify callers without
     * RAPIDS.
     */
    static SolverCall of(SolverCall call) {
        return new GpuCall(call);
    }

    @Override
    public ColumnarKernel kernel() {
        return Kernels.kernel(this);
    }

    /** Serializes the call in a different form, because an executor without RAPIDS cannot load this class. */
    private Object writeReplace() {
        return new SolverCall(this);
    }
}
