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
 * A temporary folder for tiles within a local folder. If a process is killed, the next one that creates such a folder
 * next to it deletes it; otherwise the tiles of lost executors would gradually fill the disk.
 *
 * <p>Its owner holds a lock on a file in it, which the operating system releases when the process ends, in whatever
 * way. Other machines may not see a lock in a shared folder, so the name of the file includes the machine, and its
 * start, for which it is valid.
 */
final class ScratchFolder implements Closeable {
    /** The folders of this process, because checking a lock of one's own would release it. */
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
     * @throws dev.bellman.BellmanException {@link dev.bellman.ErrorCode#BELLMAN_OUTPUT_WRITE} if that is not possible
     */
    static ScratchFolder in(Path parent) {
        Path made = TileCache.makeFolder(parent.toAbsolutePath().normalize());
        OWN.add(made);
        FileChannel lock = null;
        try {
            String name = lockName();
            deleteAbandoned(made, name);
            // it is renamed only after it is locked
            Path attempt = Files.createFile(made.resolve(name + ".new"));
            // not open for writing, so that the disk can be made read-only
            lock = FileChannel.open(attempt, StandardOpenOption.READ);
            lock.lock(0, Long.MAX_VALUE, true);
            Files.move(attempt, made.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // a disk without locks: the folder remains if this process is killed
        }
        return new ScratchFolder(made, lock);
    }

    /** The name of a lock that is visible to all processes of this machine. */
    static String lockName() throws IOException {
        return "lock-"
                + Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }

    /** The scratch folders next to a folder. */
    private static void deleteAbandoned(Path made, String lock) {
        try (Stream<Path> all = Files.list(made.getParent())) {
            all.filter(path -> path.getFileName().toString().startsWith(TileCache.PREFIX))
                    .filter(path -> !OWN.contains(path) && isLike(made, path) && isAbandoned(path.resolve(lock)))
                    .forEach(path -> FileUtils.deleteQuietly(path.toFile()));
        } catch (IOException | UncheckedIOException e) {
            // they only take space, and the next process tries again
        }
    }

    /** Whether it is a folder of the same user. In a shared folder, others may put a link there that leads anywhere. */
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
            // it has none yet, or belongs to another user or machine
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
            // the process releases it
        }
    }
}
