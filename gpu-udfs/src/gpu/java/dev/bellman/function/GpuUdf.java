package dev.bellman.function;

import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.KernelFunction;
import dev.bellman.columns.WrittenUdf;

/** A function that Spark calls on the CPU, and RAPIDS on the GPU. */
final class GpuUdf extends AnyUdf implements KernelFunction {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final ColumnarFunction function;

    GpuUdf(String name, ColumnarFunction function, Call onCpu) {
        super(onCpu);
        this.name = name;
        this.function = function;
    }

    @Override
    public ColumnarKernel kernel() {
        return Kernels.of(name, function).kernel();
    }

    /** An executor without RAPIDS cannot load this class. */
    private Object writeReplace() {
        return new WrittenUdf(name, function, onCpu());
    }
}
