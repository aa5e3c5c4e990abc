package dev.bellman.join;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class BlocksOnGpuTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("join/blocks", "BlockStrings", BlocksOnGpu.BlockStrings.class);
        KernelConstants.assertSameLayout("join/blocks", "JoinString", StringsOnGpu.JoinString.class);
    }
}
