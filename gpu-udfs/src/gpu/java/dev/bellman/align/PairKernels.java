package dev.bellman.align;

import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.KernelOf;
import java.util.function.Function;

/** Entries of kernels of {@link PairFunction}. */
public final class PairKernels {
    private PairKernels() {}

    @SuppressWarnings("unchecked") // a name belongs to one problem
    public static <S extends Enum<S>> KernelOf pair(String name, Function<PairFunction<S>, ColumnarKernel> kernel) {
        return new KernelOf(name, function -> kernel.apply((PairFunction<S>) function));
    }
}
