package dev.bellman.segment;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class OptimalBinsKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("segment/optimal_bins", "BinCalls", OptimalBinsKernel.Calls.class);
        KernelConstants.assertSameLayout("segment/optimal_bins", "BinAnswers", OptimalBinsKernel.Answers.class);
    }
}
