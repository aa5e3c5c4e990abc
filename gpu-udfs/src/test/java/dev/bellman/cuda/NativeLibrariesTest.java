package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {
    private static final String LIBRARY = "libJCudaDriver-12.6.0-linux-x86_64.so";

    @TempDir
    private Path temporary;

    /** Each process extracts for itself, whatever lies in the shared folder, and leaves nothing there. */
    @Test
    void manyProcesses() throws IOException, InterruptedException {
        Files.writeString(temporary.resolve(LIBRARY), "half-written by another process");
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            processes.add(new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/java",
                            "-Xmx64m",
                            "-Djava.io.tmpdir=" + temporary,
                            "-cp",
                            System.getProperty("java.class.path"),
                            Extraction.class.getName())
                    .redirectErrorStream(true)
                    .start());
        }
        for (Process process : processes) {
            String output = new String(process.getInputStream().readAllBytes());
            assertThat(process.waitFor()).as(output).isZero();
        }
        try (var left = Files.list(temporary)) {
            assertThat(left).containsExactly(temporary.resolve(LIBRARY));
        }
    }

    @Test
    void noDriver() {
        assertThatThrownBy(() -> NativeLibraries.load(() -> {
                    throw new UnsatisfiedLinkError("libcuda.so.1: cannot open shared object file");
                }))
                .isInstanceOfSatisfying(
                        BellmanException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_INTERNAL))
                .hasMessageContaining("no NVIDIA driver");
    }

    /** What JCuda does at its first use, up to loading the file. */
    static final class Extraction {
        private Extraction() {}

        public static void main(String[] arguments) {
            NativeLibraries.load(() -> {
                Path target = Path.of(System.getProperty("java.io.tmpdir"), LIBRARY);
                try (InputStream library = Extraction.class.getResourceAsStream("/lib/" + LIBRARY)) {
                    byte[] expected = library.readAllBytes();
                    // fails if the file is there
                    Files.write(target, expected, StandardOpenOption.CREATE_NEW);
                    if (!Arrays.equals(expected, Files.readAllBytes(target))) {
                        throw new AssertionError(target + " is not the library");
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
