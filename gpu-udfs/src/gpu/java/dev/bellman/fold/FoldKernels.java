package dev.bellman.fold;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link FoldFunctions}. */
public final class FoldKernels {
    private FoldKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("accordion_fold", AccordionFoldKernel::new),
                new KernelOf("max_base_pairs", call -> new BasePairsKernel(call, false)),
                new KernelOf("max_base_pairs_structure", call -> new BasePairsKernel(call, true)));
    }
}
