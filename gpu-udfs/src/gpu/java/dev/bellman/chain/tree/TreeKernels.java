package dev.bellman.chain.tree;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link TreeFunctions}. */
public final class TreeKernels {
    private TreeKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("optimal_bst_cost", OptimalBstCostUdf.class, udf -> new OptimalBstKernel(udf, udf.strategy, false)),
                entry("optimal_bst", OptimalBstUdf.class, udf -> new OptimalBstKernel(udf, udf.strategy, true)),
                entry("parenthesization", ParenthesizationUdf.class, ParenthesizationKernel::new));
    }
}
