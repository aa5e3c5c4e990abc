package dev.bellman.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class DeletionSearchOnGpuTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("join/deletion", "JoinString", StringsOnGpu.JoinString.class);
        KernelConstants.assertSameLayout("join/deletion", "JoinStrings", StringsOnGpu.JoinStrings.class);
        KernelConstants.assertSameLayout("join/deletion", "JoinSlice", DeletionSearchOnGpu.JoinSlice.class);
        KernelConstants.assertSameLayout("join/deletion", "JoinWays", StringsOnGpu.JoinWays.class);
    }

    @Test
    void largeTables() {
        assertThat(DeletionSearchOnGpu.tableBytes(12)).isEqualTo(32_768);
        assertThat(DeletionSearchOnGpu.tableBytes(28)).isEqualTo(2_147_483_648L);
        assertThat(DeletionSearchOnGpu.tableBytes(33)).isEqualTo(68_719_476_736L);
    }
}
