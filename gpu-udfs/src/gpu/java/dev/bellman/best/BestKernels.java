package dev.bellman.best;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link TopNPrefilter}. */
public final class BestKernels {
    private BestKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("may_be_best", TopNPrefilter.class, udf -> new MayBeBestKernel(udf.count())));
    }
}
