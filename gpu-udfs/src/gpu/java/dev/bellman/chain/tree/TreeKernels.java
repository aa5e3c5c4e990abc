package dev.bellman.chain.tree;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link TreeFunctions}. */
public final class TreeKernels {
    private TreeKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                KernelOf.call("optimal_bst_cost", call -> new OptimalBstKernel(call, false)),
                KernelOf.call("optimal_bst", call -> new OptimalBstKernel(call, true)),
                KernelOf.call("parenthesization", ParenthesizationKernel::new));
    }
}
