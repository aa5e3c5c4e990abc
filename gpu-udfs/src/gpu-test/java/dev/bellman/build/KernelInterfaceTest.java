package dev.bellman.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class KernelInterfaceTest {
    @Test
    void constants() {
        assertThat(KernelInterface.of("""
                .const .align 8 .u64 for_host_PARTS = 8;
                .const .align 8 .u64 for_host_Profile__moves;
                """)).isEqualTo("constant PARTS 8\nconstant Profile__moves 0\n");
    }

    /** Java would find such a constant missing only when it launches the kernel. */
    @Test
    void constantInNamespace() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> KernelInterface.of(
                                ".const .align 8 .u64 _ZN38_INTERNAL_8_score_cu_5140_GLOBAL__N__27for_host_STEP_BYTESE = 4096;"))
                .withMessage("move FOR_HOST(STEP_BYTES) out of its namespace");
    }
}
