package dev.bellman.best;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link MayBeBest}. */
public final class BestKernels {
    private BestKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("may_be_best", MayBeBest.class, udf -> new MayBeBestKernel(udf.count())));
    }
}
