package dev.bellman.chain.tree;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link TreeFunctions}. */
public final class TreeKernels {
    private TreeKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("optimal_bst_cost", OptimalBstCostUdf.class, OptimalBstKernel::new),
                entry("optimal_bst", OptimalBstUdf.class, OptimalBstKernel::new),
                entry("parenthesization", ParenthesizationUdf.class, ParenthesizationKernel::new));
    }
}
