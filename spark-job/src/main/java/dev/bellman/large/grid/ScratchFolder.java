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
 * A temporary folder for tiles, inside a local folder. If a process is killed, its folder remains; the next process
 * that creates a folder in the same place deletes it. Without this, the tiles of lost executors would gradually fill
 * the disk.
 *
 * <p>The owner locks a file in the folder; the operating system releases this lock when the process ends, for whatever
 * reason. If the folder is shared, other machines may not see the lock, so the file's name identifies the machine and
 * its boot id, for which the lock is valid.
 */
final class ScratchFolder implements Closeable {
    /**
     * The folders that this process has created. Their locks must not be checked, because a process that checks its own
     * lock would release it.
     */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;

    private ScratchFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates and locks a folder. Deletes the abandoned folders next to it.
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
            // the file must be locked before it is renamed
            Path attempt = Files.createFile(made.resolve(name + ".new"));
            // the file is opened only for reading, so this works even if the disk becomes read-only
            lock = FileChannel.open(attempt, StandardOpenOption.READ);
            lock.lock(0, Long.MAX_VALUE, true);
            Files.move(attempt, made.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // the disk does not support locks, so the folder will remain if this process is killed
        }
        return new ScratchFolder(made, lock);
    }

    /** Returns the name of the lock file, which contains this machine's boot id. */
    static String lockName() throws IOException {
        return "lock-"
                + Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }

    /** Deletes the abandoned scratch folders that are next to a folder. */
    private static void deleteAbandoned(Path made, String lock) {
        try (Stream<Path> all = Files.list(made.getParent())) {
            all.filter(path -> path.getFileName().toString().startsWith(TileCache.PREFIX))
                    .filter(path -> !OWN.contains(path) && isLike(made, path) && isAbandoned(path.resolve(lock)))
                    .forEach(path -> FileUtils.deleteQuietly(path.toFile()));
        } catch (IOException | UncheckedIOException e) {
            // abandoned folders do no harm except for the space that they occupy, and the next process will try again
        }
    }

    /**
     * Whether a path is a folder that belongs to the same user. If the parent folder is shared, other users can create
     * links to arbitrary folders in it.
     */
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
            // either the folder has no lock yet, or it belongs to a different user or machine
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
            // the lock is released when the process ends
        }
    }
}
