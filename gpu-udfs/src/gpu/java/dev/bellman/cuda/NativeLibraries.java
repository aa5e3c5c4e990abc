package dev.bellman.cuda;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Set;
import jcuda.JCudaVersion;
import jcuda.LibUtils;

/**
 * Loads JCuda's native library safely. JCuda loads a file with a fixed name from {@code java.io.tmpdir}, and extracts
 * it there if it is missing. A second process on the host may then read a file that is only half written.
 * Therefore, this class moves a complete file into place before JCuda looks for it, and replaces a file that has
 * different content or that other users can change. The file is kept for later processes.
 */
final class NativeLibraries {
    private NativeLibraries() {}

    /** Runs an action that uses a JCuda class for the first time. */
    static void load(Runnable firstUse) {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            place(folder);
            firstUse.run();
        } catch (LinkageError e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "JCuda's native library cannot be loaded: this machine has no NVIDIA driver (libcuda.so.1) or "
                            + "does not run x86-64 Linux, or files in " + folder
                            + " cannot be executed (set java.io.tmpdir to a different folder)",
                    e);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "JCuda's native library cannot be copied into %s: %s. Set java.io.tmpdir to a folder that you own"
                            .formatted(folder, e.getMessage()),
                    e);
        }
    }

    /** Returns the file name that JCuda uses. */
    static String fileName() {
        return LibUtils.createLibraryFileName(LibUtils.createPlatformLibraryName("JCudaDriver-" + JCudaVersion.get()));
    }

    /** Copies the library to a folder, unless the folder contains a trusted copy. */
    private static void place(Path folder) throws IOException {
        byte[] library;
        try (InputStream in = LibUtils.class.getResourceAsStream("/lib/" + fileName())) {
            if (in == null) {
                throw new UnsatisfiedLinkError("cannot find " + fileName() + " in the jars");
            }
            library = in.readAllBytes();
        }
        Path file = folder.resolve(fileName());
        Files.createDirectories(folder);
        // a new temporary file can be read and written only by its owner
        Path whole = Files.createTempFile(folder, "bellman-", ".so");
        try {
            if (isOurs(file, whole) && Arrays.equals(library, Files.readAllBytes(file))) {
                return;
            }
            Files.write(whole, library);
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            deleteIfPossible(whole);
        }
    }

    /** Whether the file exists, is owned by this process's user or root, and can be written only by its owner. */
    private static boolean isOurs(Path file, Path own) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        PosixFileAttributes attributes =
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> others = Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
        boolean trusted = attributes.owner().equals(Files.getOwner(own))
                || attributes.owner().getName().equals("root");
        return trusted && attributes.permissions().stream().noneMatch(others::contains);
    }

    private static void deleteIfPossible(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException ignored) {
            // a file that remains in a temporary folder does no harm
        }
    }
}
