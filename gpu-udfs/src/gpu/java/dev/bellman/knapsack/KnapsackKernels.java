package dev.bellman.knapsack;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import dev.bellman.columns.SolverUdf;
import java.util.List;

/** The kernels of {@link KnapsackFunctions}. */
public final class KnapsackKernels {
    private KnapsackKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("knapsack", SolverUdf.class, KnapsackKernel::new),
                entry("subset_sum", SolverUdf.class, KnapsackKernel::new),
                entry("bounded_knapsack", SolverUdf.class, BoundedKnapsackKernel::new),
                entry("multiple_choice_knapsack", SolverUdf.class, ChoiceKnapsackKernel::new));
    }
}
