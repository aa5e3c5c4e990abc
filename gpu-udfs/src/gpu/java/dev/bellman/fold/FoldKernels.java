package dev.bellman.fold;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link FoldFunctions}. */
public final class FoldKernels {
    private FoldKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                KernelOf.call("accordion_fold", AccordionFoldKernel::new),
                KernelOf.call("max_base_pairs", call -> new BasePairsKernel(call, false)),
                KernelOf.call("max_base_pairs_structure", call -> new BasePairsKernel(call, true)));
    }
}
