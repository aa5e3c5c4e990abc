package dev.bellman.knapsack;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class KnapsackKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("knapsack/knapsack", "KnapsackCalls", KnapsackKernel.Calls.class);
        KernelConstants.assertSameLayout("knapsack/knapsack", "KnapsackAnswers", KnapsackKernel.Answers.class);
        KernelConstants.assertSameLayout("knapsack/bounded", "BoundedCalls", BoundedKnapsackKernel.Calls.class);
        KernelConstants.assertSameLayout("knapsack/bounded", "BoundedParts", BoundedKnapsackKernel.Parts.class);
        KernelConstants.assertSameLayout("knapsack/choices", "ChoiceLists", ChoiceKnapsackKernel.Lists.class);
        KernelConstants.assertSameLayout("knapsack/choices", "ChoiceCalls", ChoiceKnapsackKernel.Calls.class);
        KernelConstants.assertSameLayout("knapsack/choices", "ChoiceAnswers", ChoiceKnapsackKernel.Answers.class);
    }
}
