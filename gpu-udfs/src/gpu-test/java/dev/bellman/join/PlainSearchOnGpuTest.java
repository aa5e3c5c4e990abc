package dev.bellman.join;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class PlainSearchOnGpuTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("join/plain", "JoinString", StringsOnGpu.JoinString.class);
        KernelConstants.assertSameLayout("join/plain", "JoinStrings", StringsOnGpu.JoinStrings.class);
        KernelConstants.assertSameLayout("join/plain", "PlainRange", PlainSearchOnGpu.PlainRange.class);
    }
}
