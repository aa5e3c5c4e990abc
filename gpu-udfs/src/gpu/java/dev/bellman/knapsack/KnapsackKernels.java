package dev.bellman.knapsack;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link KnapsackFunctions}. */
public final class KnapsackKernels {
    private KnapsackKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                KernelOf.call("knapsack", KnapsackKernel::new),
                KernelOf.call("subset_sum", KnapsackKernel::new),
                KernelOf.call("bounded_knapsack", BoundedKnapsackKernel::new),
                KernelOf.call("multiple_choice_knapsack", ChoiceKnapsackKernel::new));
    }
}
