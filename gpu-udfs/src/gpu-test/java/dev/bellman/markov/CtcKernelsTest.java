package dev.bellman.markov;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class CtcKernelsTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("markov/ctc_align", "CtcCalls", CtcCalls.class);
        KernelConstants.assertSameLayout("markov/ctc_align", "CtcAnswers", CtcAlignKernel.Answers.class);
    }

    @Test
    void classes() {
        KernelConstants.assertFewClasses("markov/ctc_align", "CLASSES", 1);
        KernelConstants.assertFewClasses("markov/ctc_score", "CLASSES", 1);
    }
}
