package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.CudaFatalException;
import dev.bellman.BellmanException;
import dev.bellman.GpuTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A process that has touched an illegal address can use the GPU no more, so another one does. */
class FatalErrorGpuTest extends GpuTest {
    @Test
    void illegalAddress() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        IllegalAddress.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes());

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("CUDA_ERROR_ILLEGAL_ADDRESS", "next: true");
    }

    static final class IllegalAddress {
        private IllegalAddress() {}

        public static void main(String[] arguments) {
            Kernel kernel = CudaModule.load("columns/validity").kernel("and_validity");
            kernel.grid(1).block(32).launch(16L, 16L, 0L, 1L);
            int result = jcuda.driver.JCudaDriver.cuCtxSynchronize();
            System.out.println(jcuda.driver.CUresult.stringFor(result));
            try {
                kernel.grid(1).block(32).launch(0L, 0L, 0L, 0L);
                System.exit(1);
            } catch (BellmanException e) {
                System.out.println("next: " + (e.getCause() instanceof CudaFatalException));
            }
        }
    }
}
