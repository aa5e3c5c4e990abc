package dev.bellman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GpuSideTest {
    /** A GPU-side interface without an implementation, as in a build without the GPU side. */
    interface Absent {}

    @Test
    void absent() {
        assertThat(GpuSide.find(Absent.class)).isEmpty();
        assertThatThrownBy(() -> GpuSide.get(Absent.class))
                .isInstanceOfSatisfying(
                        BellmanException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_GPU_REQUIRED))
                .hasMessageContaining("no GPU support; set BELLMAN_GPU_SIDE=true")
                .hasMessageNotContaining("\n");
    }
}
