package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.CudaFatalException;
import dev.bellman.BellmanException;
import dev.bellman.GpuTest;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.Test;

/** Accesses an illegal address in a separate process, because the process can no longer use the GPU afterwards. */
class FatalErrorGpuTest extends GpuTest {
    @Test
    void illegalAddress() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        classPath(),
                        IllegalAddress.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes());

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("CUDA_ERROR_ILLEGAL_ADDRESS", "fatal: true");
    }

    /** Returns this process's class path, and the jars that spark-submit may have loaded separately. */
    private static String classPath() throws IOException {
        URL natives = FatalErrorGpuTest.class.getResource("/lib/" + NativeLibraries.fileName());
        URL jar = ((JarURLConnection) natives.openConnection()).getJarFileURL();
        return Stream.concat(
                        Stream.of(System.getProperty("java.class.path"), path(jar)),
                        Stream.of(IllegalAddress.class, Kernel.class, CudaFatalException.class, JCudaDriver.class)
                                .map(type -> path(type.getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation())))
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }

    private static String path(URL location) {
        try {
            return Path.of(location.toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static final class IllegalAddress {
        private IllegalAddress() {}

        public static void main(String[] arguments) {
            Kernel kernel = CudaModule.load("columns/validity").kernel("and_validity");
            kernel.grid(1).block(32).launch(16L, 16L, 0L, 1L);
            System.out.println(CUresult.stringFor(JCudaDriver.cuCtxSynchronize()));
            try {
                kernel.grid(1).block(32).launch(0L, 0L, 0L, 0L);
                System.exit(1);
            } catch (BellmanException e) {
                System.out.println("fatal: " + (e.getCause() instanceof CudaFatalException));
            }
        }
    }
}
