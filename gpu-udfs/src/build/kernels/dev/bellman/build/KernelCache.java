package dev.bellman.build;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A cache of compiled kernels in a folder that belongs to the user, keyed by the fingerprints of their compilations. An
 * entry is a file with the SHA-256 of the code and the compressed code. A file is written under a temporary name and
 * then renamed, so that several processes can use the cache concurrently. If two processes compile the same kernel,
 * both use the code that was stored first. Damaged entries are ignored, and so are entries that other users may write
 * to. A cache that is not writable or belongs to another user is not used.
 *
 * <p>NVRTC may compile the same source to different code, because its passes depend on the order of memory addresses;
 * for example, two constants may be loaded in a different order. Fixed addresses ({@code setarch -R}) help only in a
 * process without Java; changing malloc's arenas and thresholds does not help. Therefore, builds are identical only
 * with this cache.
 */
final class KernelCache {
    /** The time after which an unused entry is deleted. */
    static final Duration MAX_AGE = Duration.ofDays(60);

    private static final int DIGEST_BYTES = 32;
    private static final String PART = ".part";

    /** The cache's folder, or null if there is no cache. */
    private final Path folder;

    private final UserPrincipal owner;

    private KernelCache(Path folder, UserPrincipal owner) {
        this.folder = folder;
        this.owner = owner;
    }

    /** Opens {@code bellman/kernels} in {@code XDG_CACHE_HOME} or, by default, in {@code ~/.cache}. */
    static KernelCache ofUser() {
        String caches = System.getenv("XDG_CACHE_HOME");
        Path home = caches == null || caches.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(caches);
        return open(home.resolve("bellman").resolve("kernels"));
    }

    static KernelCache open(Path folder) {
        try {
            Files.createDirectories(folder);
            Path probe = Files.createTempFile(folder, "", PART);
            UserPrincipal user = Files.getOwner(probe);
            Files.delete(probe);
            if (!Files.getOwner(folder).equals(user)) {
                return new KernelCache(null, null);
            }
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            return new KernelCache(folder, user);
        } catch (IOException | UnsupportedOperationException e) {
            return new KernelCache(null, null);
        }
    }

    /** Returns an entry's code, or null if the entry is missing, is damaged, or may be changed by other users. */
    byte[] read(String fingerprint) {
        if (folder == null) {
            return null;
        }
        Path file = folder.resolve(fingerprint);
        try {
            if (!Files.exists(file) || !isOwn(file)) {
                return null;
            }
            byte[] entry = Files.readAllBytes(file);
            if (entry.length < DIGEST_BYTES) {
                return null;
            }
            byte[] code;
            try (InputStream in =
                    new GZIPInputStream(new ByteArrayInputStream(entry, DIGEST_BYTES, entry.length - DIGEST_BYTES))) {
                code = in.readAllBytes();
            }
            if (!MessageDigest.isEqual(digest(code), Arrays.copyOf(entry, DIGEST_BYTES))) {
                return null;
            }
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            return code;
        } catch (IOException e) {
            // damaged, or deleted by another process
            return null;
        }
    }

    /**
     * Stores the code, unless the cache already contains code for this fingerprint. Returns the cached code, or
     * {@code code} if it cannot be stored. All builds that use the cache therefore have identical code, although the
     * compiler's output may vary.
     */
    byte[] write(String fingerprint, byte[] code) {
        byte[] earlier = read(fingerprint);
        if (earlier != null || folder == null) {
            return earlier == null ? code : earlier;
        }
        try {
            ByteArrayOutputStream entry = new ByteArrayOutputStream();
            entry.writeBytes(digest(code));
            try (OutputStream out = new GZIPOutputStream(entry)) {
                out.write(code);
            }
            Path part = Files.createTempFile(folder, "", PART);
            try {
                Files.write(part, entry.toByteArray());
                return publish(part, fingerprint, code);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            // for example, the disk is full; the next build compiles the kernel again
            return code;
        }
    }

    /** Renames by creating a link, which does not replace a file that another process has just written. */
    private byte[] publish(Path part, String fingerprint, byte[] code) throws IOException {
        Path file = folder.resolve(fingerprint);
        try {
            Files.createLink(file, part);
        } catch (FileAlreadyExistsException e) {
            byte[] earlier = read(fingerprint);
            if (earlier != null) {
                return earlier;
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | UnsupportedOperationException e) {
            // the file system does not support links
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return code;
    }

    /** Deletes entries that no build has used for {@link #MAX_AGE}. */
    void prune() {
        if (folder == null) {
            return;
        }
        Instant oldest = Instant.now().minus(MAX_AGE);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(oldest)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            // deleted by another process; the next build continues
        }
    }

    private boolean isOwn(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        return Files.getOwner(file).equals(owner)
                && List.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE).stream()
                        .noneMatch(permissions::contains);
    }

    private static byte[] digest(byte[] code) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(code);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
