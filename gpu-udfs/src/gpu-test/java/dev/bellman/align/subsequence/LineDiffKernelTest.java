package dev.bellman.align.subsequence;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class LineDiffKernelTest {
    @Test
    void layouts() {
        String module = "align/subsequence/line_diff";
        KernelConstants.assertSameLayout(module, "DiffCalls", LineDiffKernel.Calls.class);
        KernelConstants.assertSameLayout(module, "DiffAnswers", LineDiffKernel.Answers.class);
        KernelConstants.assertSameLayout(module, "DiffResults", LineDiffKernel.Results.class);
    }
}
