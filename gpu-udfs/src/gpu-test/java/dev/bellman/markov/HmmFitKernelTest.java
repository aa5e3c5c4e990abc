package dev.bellman.markov;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class HmmFitKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("markov/hmm_fit", "FitCalls", HmmFitKernel.Calls.class);
        KernelConstants.assertSameLayout("markov/hmm_fit", "FitResults", HmmFitKernel.Results.class);
        KernelConstants.assertSameLayout("markov/hmm_fit", "FitLengths", HmmFitKernel.Lengths.class);
        KernelConstants.assertSameLayout("markov/hmm_fit", "FitColumns", HmmFitKernel.ResultColumns.class);
    }
}
