package dev.bellman.join;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class DeletionSearchOnGpuTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("join/deletion", "JoinString", DeletionSearchOnGpu.JoinString.class);
        KernelConstants.assertSameLayout("join/deletion", "JoinStrings", DeletionSearchOnGpu.JoinStrings.class);
        KernelConstants.assertSameLayout("join/deletion", "JoinSlice", DeletionSearchOnGpu.JoinSlice.class);
        KernelConstants.assertSameLayout("join/deletion", "JoinWays", DeletionSearchOnGpu.JoinWays.class);
    }
}
