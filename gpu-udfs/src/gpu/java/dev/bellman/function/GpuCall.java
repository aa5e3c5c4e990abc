package dev.bellman.function;

import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.KernelFunction;
import dev.bellman.columns.SolverCall;

/** A call that Spark runs on the CPU, and RAPIDS on the GPU. */
final class GpuCall extends SolverCall implements KernelFunction {
    private static final long serialVersionUID = 1L;

    private GpuCall(SolverCall call) {
        super(call);
    }

    /** Returns the call with its kernel, by a type whose callers can be verified without RAPIDS. */
    static SolverCall of(SolverCall call) {
        return new GpuCall(call);
    }

    @Override
    public ColumnarKernel kernel() {
        return Kernels.of(this).kernel();
    }

    /** An executor without RAPIDS cannot load this class. */
    private Object writeReplace() {
        return new SolverCall(this);
    }
}
