package dev.bellman.knapsack;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class KnapsackKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("knapsack/knapsack", "KnapsackCalls", KnapsackKernel.Calls.class);
        KernelConstants.assertSameLayout("knapsack/knapsack", "KnapsackAnswers", KnapsackKernel.Answers.class);
    }
}
