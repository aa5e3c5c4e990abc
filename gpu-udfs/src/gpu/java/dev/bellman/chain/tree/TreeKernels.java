package dev.bellman.chain.tree;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link TreeFunctions}. */
public final class TreeKernels {
    private TreeKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("optimal_bst_cost", call -> new OptimalBstKernel(call, false)),
                new KernelOf("optimal_bst", call -> new OptimalBstKernel(call, true)),
                new KernelOf("parenthesization", ParenthesizationKernel::new));
    }
}
