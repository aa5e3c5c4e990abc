package dev.bellman.large.grid;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * A temporary folder for tiles within a local folder. A killed process leaves its folder behind, and the next process
 * that creates a folder in the same place deletes it. Otherwise, the tiles of lost executors would gradually fill the
 * disk.
 *
 * <p>The owner locks a file in the folder, and the operating system releases the lock when the process ends for any
 * reason. Other machines may not see a lock in a shared folder, so the file name includes the machine and its boot id,
 * for which the lock is valid.
 */
final class ScratchFolder implements Closeable {
    /**
     * The folders of this process. Their locks must not be checked, because checking a lock of this process would
     * release it.
     */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;

    private ScratchFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates a folder.
     *
     * @throws dev.bellman.BellmanException {@link dev.bellman.ErrorCode#BELLMAN_OUTPUT_WRITE} if the folder cannot be
     *     created
     */
    static ScratchFolder in(Path parent) {
        Path made = TileCache.makeFolder(parent.toAbsolutePath().normalize());
        OWN.add(made);
        FileChannel lock = null;
        try {
            String name = lockName();
            deleteAbandoned(made, name);
            // rename the file only after it has been locked
            Path attempt = Files.createFile(made.resolve(name + ".new"));
            // open only for reading, so that the disk may become read-only
            lock = FileChannel.open(attempt, StandardOpenOption.READ);
            lock.lock(0, Long.MAX_VALUE, true);
            Files.move(attempt, made.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // the disk does not support locks, so the folder remains if this process is killed
        }
        return new ScratchFolder(made, lock);
    }

    /** Returns the name of a lock that is visible to all processes on this machine. */
    static String lockName() throws IOException {
        return "lock-"
                + Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }

    /** Deletes abandoned scratch folders next to a folder. */
    private static void deleteAbandoned(Path made, String lock) {
        try (Stream<Path> all = Files.list(made.getParent())) {
            all.filter(path -> path.getFileName().toString().startsWith(TileCache.PREFIX))
                    .filter(path -> !OWN.contains(path) && isLike(made, path) && isAbandoned(path.resolve(lock)))
                    .forEach(path -> FileUtils.deleteQuietly(path.toFile()));
        } catch (IOException | UncheckedIOException e) {
            // abandoned folders only occupy space, and the next process tries again
        }
    }

    /** Whether a path is a folder of the same user. In a shared folder, other users may create links to any folder. */
    private static boolean isLike(Path made, Path path) {
        try {
            return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(made));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isAbandoned(Path lock) {
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = file.tryLock()) {
            return held != null;
        } catch (IOException | OverlappingFileLockException e) {
            // the folder has no lock yet, or belongs to a different user or machine
            return false;
        }
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        FileUtils.deleteQuietly(path.toFile());
        OWN.remove(path);
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            // the end of the process releases the lock
        }
    }
}
