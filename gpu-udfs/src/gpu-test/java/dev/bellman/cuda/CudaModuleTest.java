package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Reads the code that the build compressed; only loading it requires a GPU. */
class CudaModuleTest {
    @Test
    void ptx() {
        byte[] ptx = CudaModule.code("columns/validity.compute_75.ptx").orElseThrow();

        assertThat(new String(ptx, StandardCharsets.US_ASCII)).contains(".target sm_75", ".entry and_validity(");
    }

    @Test
    void machineCode() {
        byte[] cubin = CudaModule.code("columns/validity.sm_90.cubin").orElseThrow();

        assertThat(cubin).startsWith(0x7f, 'E', 'L', 'F');
    }

    @Test
    void missing() {
        assertThat(CudaModule.code("columns/validity.sm_10.cubin")).isEmpty();
    }
}
