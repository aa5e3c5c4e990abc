package dev.bellman.fold;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link FoldFunctions}. */
public final class FoldKernels {
    private FoldKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("accordion_fold", AccordionFoldUdf.class, AccordionFoldKernel::new),
                entry("max_base_pairs", BasePairsUdf.class, udf -> new BasePairsKernel(udf, false)),
                entry("max_base_pairs_structure", BasePairsUdf.class, udf -> new BasePairsKernel(udf, true)));
    }
}
