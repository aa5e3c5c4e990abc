package dev.bellman.knapsack;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link KnapsackFunctions}. */
public final class KnapsackKernels {
    private KnapsackKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("knapsack", KnapsackKernel::new),
                new KernelOf("subset_sum", KnapsackKernel::new),
                new KernelOf("bounded_knapsack", BoundedKnapsackKernel::new),
                new KernelOf("multiple_choice_knapsack", ChoiceKnapsackKernel::new));
    }
}
