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
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {
    private static final String LIBRARY = NativeLibraries.fileName();

    @TempDir
    private Path temporary;

    /**
     * All processes find the complete library, even if an earlier one left a partial file, and no other file remains.
     */
    @Test
    void manyProcesses() throws IOException, InterruptedException {
        Files.writeString(temporary.resolve(LIBRARY), "half-written by another process");
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            processes.add(start());
        }
        for (Process process : processes) {
            assertSucceeds(process);
        }
        try (var left = Files.list(temporary)) {
            assertThat(left).containsExactly(temporary.resolve(LIBRARY));
        }
        assertThat(Files.getPosixFilePermissions(temporary.resolve(LIBRARY)))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    /** A world-writable file, or a link to a different place, is not trusted, even if it contains the library. */
    @Test
    void filesOfOthers() throws IOException, InterruptedException {
        assertSucceeds(start());
        Path file = temporary.resolve(LIBRARY);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        Object before = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        assertSucceeds(start());
        assertThat(Files.readAttributes(file, BasicFileAttributes.class).fileKey())
                .isNotEqualTo(before);

        Path elsewhere = temporary.resolve("elsewhere.so");
        Files.move(file, elsewhere);
        Files.createSymbolicLink(file, elsewhere);
        assertSucceeds(start());
        assertThat(Files.isSymbolicLink(file)).isFalse();
    }

    @Test
    void folderThatCannotBeWritten() throws IOException, InterruptedException {
        Path folder = temporary.resolve("a file");
        Files.writeString(folder, "");
        Process process = start(folder);
        assertThat(new String(process.getInputStream().readAllBytes()))
                .contains("[BELLMAN_INTERNAL]", "Set java.io.tmpdir", folder.toString());
        assertThat(process.waitFor()).isNotZero();
    }

    private Process start() throws IOException {
        return start(temporary);
    }

    private static Process start(Path folder) throws IOException {
        return new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx64m",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        FirstUse.class.getName())
                .redirectErrorStream(true)
                .start();
    }

    private static void assertSucceeds(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
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

    /**
     * Makes JCuda load the file. On a host without a driver, this fails only because libcuda is missing. If JCuda used
     * a file of its own, the failure would be that it cannot write or load that file.
     */
    static final class FirstUse {
        private FirstUse() {}

        public static void main(String[] arguments) {
            String folder = System.getProperty("java.io.tmpdir");
            NativeLibraries.load(() -> {
                assertWhole(Path.of(folder, LIBRARY));
                try {
                    JCudaDriver.setExceptionsEnabled(false);
                } catch (UnsatisfiedLinkError e) {
                    if (!e.getMessage().contains("libcuda.so.1")) {
                        throw new AssertionError(e);
                    }
                }
            });
            if (!System.getProperty("java.io.tmpdir").equals(folder)) {
                throw new AssertionError("java.io.tmpdir has changed");
            }
        }

        private static void assertWhole(Path file) {
            try (InputStream library = FirstUse.class.getResourceAsStream("/lib/" + LIBRARY)) {
                if (!Arrays.equals(library.readAllBytes(), Files.readAllBytes(file))) {
                    throw new AssertionError(file + " is not the library");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
