package dev.bellman.cuda;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads JCuda's native library safely. JCuda extracts it to a fixed name in {@code java.io.tmpdir}, unless a file of that name is
 * there: a second process on the host can find it half-written by the first, or written by another user. So each process
 * lets JCuda extract into a new folder that only its user may enter, and deletes it once the library is loaded.
 */
final class NativeLibraries {
    private static final String TEMPORARY = "java.io.tmpdir";

    private NativeLibraries() {}

    /** Runs the first use of a JCuda class. */
    static void load(Runnable firstUse) {
        String shared = System.getProperty(TEMPORARY);
        try {
            Path folder = Files.createTempDirectory("bellman-jcuda-");
            // whoever else asks for a temporary file in the meantime gets it where Java remembers to put it since this
            // call
            Files.delete(File.createTempFile("bellman-", null).toPath());
            try {
                System.setProperty(TEMPORARY, folder.toString());
                firstUse.run();
            } finally {
                System.setProperty(TEMPORARY, shared);
                delete(folder);
            }
        } catch (LinkageError e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "JCuda's native library cannot be loaded: there is no NVIDIA driver (libcuda.so.1) on this machine, or "
                            + "this is not Linux on x86-64, or nothing may be executed in " + shared
                            + " (set java.io.tmpdir)",
                    e);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "JCuda's native library cannot be extracted into " + shared + " (set java.io.tmpdir)",
                    e);
        }
    }

    /** A loaded library stays in memory when its file is gone. */
    private static void delete(Path folder) throws IOException {
        File[] files = folder.toFile().listFiles();
        if (files != null) {
            for (File file : files) {
                Files.delete(file.toPath());
            }
        }
        Files.deleteIfExists(folder);
    }
}
