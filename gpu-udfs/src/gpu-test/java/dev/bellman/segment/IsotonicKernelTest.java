package dev.bellman.segment;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class IsotonicKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("segment/isotonic", "IsotonicCalls", IsotonicKernel.Calls.class);
    }
}
