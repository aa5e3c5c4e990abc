package dev.bellman.markov;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class CountsKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("markov/expected_counts", "CountedModel", CountsOnGpu.CountedModel.class);
        KernelConstants.assertSameLayout(
                "markov/expected_counts", "CountedSequences", CountsOnGpu.CountedSequences.class);
        KernelConstants.assertSameLayout("markov/expected_values", "ValueModel", CountsOnGpu.ValueModel.class);
        KernelConstants.assertSameLayout("markov/expected_values", "ValueSequences", CountsOnGpu.ValueSequences.class);
        for (String module : new String[] {"markov/expected_counts", "markov/expected_values"}) {
            KernelConstants.assertSameLayout(module, "ExpectedSums", CountsOnGpu.ExpectedSums.class);
        }
    }
}
