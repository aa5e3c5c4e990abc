package dev.bellman.markov;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class ForwardKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("markov/forward", "SweepAnswers", Sweeps.Answers.class);
        KernelConstants.assertSameLayout("markov/values", "GaussianCalls", GaussianCalls.class);
        KernelConstants.assertSameLayout("markov/forward", "MarkovWeights", MarkovCalls.Weights.class);
    }
}
