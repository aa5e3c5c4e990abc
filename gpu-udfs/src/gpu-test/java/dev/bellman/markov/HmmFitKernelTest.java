package dev.bellman.markov;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class HmmFitKernelTest {
    @Test
    void layouts() {
        for (String module : new String[] {"markov/hmm_fit", "markov/hmm_fit_values"}) {
            KernelConstants.assertSameLayout(module, "FitSequences", FitCalls.Sequences.class);
            KernelConstants.assertSameLayout(module, "FitCalls", FitCalls.class);
            KernelConstants.assertSameLayout(module, "FitResults", FitColumns.Results.class);
        }
        KernelConstants.assertSameLayout("markov/hmm_fit", "FitLengths", FitColumns.Lengths.class);
        KernelConstants.assertSameLayout("markov/hmm_fit", "FitColumns", FitColumns.Columns.class);
    }
}
