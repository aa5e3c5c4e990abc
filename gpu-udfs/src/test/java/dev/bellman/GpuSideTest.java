package dev.bellman;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GpuSideTest {
    /** A GPU-side interface without an implementation, as in a build without the GPU side. */
    interface Absent {}

    @Test
    void absent() {
        assertThat(GpuSide.find(Absent.class)).isEmpty();
        assertFails(ErrorCode.BELLMAN_GPU_REQUIRED, () -> GpuSide.get(Absent.class))
                .hasMessageContaining("no GPU support; set BELLMAN_GPU_SIDE=true")
                .hasMessageNotContaining("\n");
    }
}
