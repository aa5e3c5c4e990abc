package dev.bellman.markov;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class CtcKernelsTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("markov/ctc/align", "CtcCalls", CtcCalls.class);
        KernelConstants.assertSameLayout("markov/ctc/align", "CtcAnswers", CtcAlignKernel.Answers.class);
    }

    @Test
    void classes() {
        KernelConstants.assertFewClasses("markov/ctc/align", "CLASSES", 1);
        KernelConstants.assertFewClasses("markov/ctc/score", "CLASSES", 1);
    }
}
