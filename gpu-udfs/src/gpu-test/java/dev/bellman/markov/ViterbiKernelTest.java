package dev.bellman.markov;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class ViterbiKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("markov/viterbi", "MarkovMatrices", MarkovCalls.Matrices.class);
        KernelConstants.assertSameLayout("markov/viterbi", "MarkovCalls", MarkovCalls.class);
        KernelConstants.assertSameLayout("markov/viterbi", "ViterbiAnswers", ViterbiKernel.Answers.class);
    }
}
