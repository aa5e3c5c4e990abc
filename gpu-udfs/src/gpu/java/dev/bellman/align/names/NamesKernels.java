package dev.bellman.align.names;

import static dev.bellman.align.PairKernels.pair;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link RatioFunctions}. */
public final class NamesKernels {
    private NamesKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                pair("ratio", RatioKernel::new),
                pair("partial_ratio", PartialRatioKernel::new),
                pair("token_sort_ratio", TokenSortRatioKernel::new));
    }
}
