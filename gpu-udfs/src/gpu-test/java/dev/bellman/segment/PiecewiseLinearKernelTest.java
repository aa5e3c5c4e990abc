package dev.bellman.segment;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class PiecewiseLinearKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("segment/piecewise_linear", "LineCalls", PiecewiseLinearKernel.Calls.class);
        KernelConstants.assertSameLayout(
                "segment/piecewise_linear", "LineAnswers", PiecewiseLinearKernel.Answers.class);
        KernelConstants.assertSameLayout(
                "segment/piecewise_linear", "LineResults", PiecewiseLinearKernel.Results.class);
    }
}
