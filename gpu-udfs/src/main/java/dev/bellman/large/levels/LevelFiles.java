package dev.bellman.large.levels;

import com.sun.nio.file.ExtendedOpenOption;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * Stores arrays in files in a local folder. Checksums are kept in memory, because no other process reads the files.
 * Separate threads read and write, so that neither waits for the other.
 *
 * <p>Files bypass the operating system's cache if the disk permits this: the cache would take memory beyond the table's
 * limit and require an additional copy of each array.
 */
final class LevelFiles implements AutoCloseable {
    /**
     * The number of reading threads, and also of writing threads. A single thread cannot use a disk's full bandwidth.
     */
    static final int THREADS = 4;

    /** Counts the bytes transferred in one direction, and the time during which at least one thread transfers data. */
    static final class Meter {
        private long bytes;
        private long nanoseconds;
        private int active;
        private long since;

        private synchronized void begin() {
            if (active++ == 0) {
                since = System.nanoTime();
            }
        }

        private synchronized void end(long moved) {
            bytes += moved;
            if (--active == 0) {
                nanoseconds += System.nanoTime() - since;
            }
        }

        synchronized long bytes() {
            return bytes;
        }

        synchronized double seconds() {
            return nanoseconds / 1e9;
        }

        private synchronized double speed() {
            return bytes / seconds();
        }
    }

    /** The file of an array. Reads and writes of the file run in order and stop at the first failure. */
    final class Stored {
        private final Path file;
        private int checksum;
        private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

        private Stored(Path file) {
            this.file = file;
        }

        /**
         * Writes all bytes of a buffer after {@code after} has returned. The buffer must not change before {@link
         * #isDone}.
         */
        void write(Runnable after, ByteBuffer bytes) {
            last = last.thenRunAsync(
                    () -> {
                        after.run();
                        write(bytes);
                    },
                    writers);
        }

        /** Fills a buffer with the file's bytes after {@code after} has returned. */
        void read(Runnable after, ByteBuffer bytes) {
            last = last.thenRunAsync(
                    () -> {
                        after.run();
                        read(bytes);
                    },
                    readers);
        }

        boolean isDone() {
            return last.isDone();
        }

        /**
         * Waits until all operations are complete.
         *
         * @throws BellmanException if an operation failed
         */
        void await() {
            try {
                last.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException failure) {
                    throw failure;
                }
                throw e;
            }
        }

        void delete() {
            last = last.thenRun(() -> LevelFiles.delete(file));
        }

        private void write(ByteBuffer bytes) {
            written.begin();
            long moved = 0;
            try {
                Files.createDirectories(folder);
                try (FileChannel to =
                        FileChannel.open(file, options(bytes, StandardOpenOption.CREATE, StandardOpenOption.WRITE))) {
                    ByteBuffer rest = bytes.duplicate().clear();
                    while (rest.hasRemaining()) {
                        moved += to.write(rest);
                    }
                }
            } catch (IOException e) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OUTPUT_WRITE,
                        ("cannot write the tile %s: %s. Fix the problem (for a full disk, free some space), or set "
                                        + "spark.bellman.tiles.directory to a different folder; then rerun with "
                                        + "--resume")
                                .formatted(file, e),
                        e);
            } finally {
                written.end(moved);
            }
            checksum = checksum(bytes);
        }

        private void read(ByteBuffer bytes) {
            read.begin();
            long moved = 0;
            try (FileChannel from = FileChannel.open(file, options(bytes, StandardOpenOption.READ))) {
                ByteBuffer rest = bytes.duplicate().clear();
                while (rest.hasRemaining()) {
                    int count = from.read(rest);
                    if (count < 0) {
                        throw new EOFException("%d bytes are missing".formatted(rest.remaining()));
                    }
                    moved += count;
                }
            } catch (IOException e) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_READ,
                        "cannot read the tile %s: %s. Fix the problem, then rerun with --resume".formatted(file, e),
                        e);
            } finally {
                read.end(moved);
            }
            if (checksum(bytes) != checksum) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_READ,
                        ("the tile %s is damaged: its checksum does not match. Rerun with --resume to continue from "
                                        + "the last checkpoint")
                                .formatted(file));
            }
        }
    }

    private final Path folder;
    private final ExecutorService readers = threads("bellman-tiles-read");
    private final ExecutorService writers = threads("bellman-tiles-write");
    private final Meter read = new Meter();
    private final Meter written = new Meter();
    private long files;
    /** The result of {@link #direct()}; -1 if it is not known yet. */
    private int direct = -1;

    /** @param folder the folder, which is created when the first array is written */
    LevelFiles(Path folder) {
        this.folder = folder;
    }

    private static ExecutorService threads(String name) {
        return Executors.newFixedThreadPool(THREADS, work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    Stored file() {
        return new Stored(folder.resolve(Long.toString(files++)));
    }

    /** Returns the options for opening the file. They bypass the cache if the disk permits this for the buffer. */
    private Set<OpenOption> options(ByteBuffer bytes, OpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(List.of(options));
        int unit = direct();
        if (unit > 0 && bytes.capacity() % unit == 0 && bytes.alignmentOffset(0, unit) == 0) {
            all.add(ExtendedOpenOption.DIRECT);
        }
        return all;
    }

    /**
     * Returns the alignment of memory and file positions that bypassing the cache requires, in bytes, or 0 if the disk
     * does not permit bypassing.
     */
    private synchronized int direct() throws IOException {
        if (direct < 0) {
            direct = 0;
            Path file = folder.resolve("direct");
            try (FileChannel to = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
                int unit = Math.toIntExact(Files.getFileStore(folder).getBlockSize());
                to.write(ByteBuffer.allocateDirect(2 * unit).alignedSlice(unit).limit(unit));
                direct = unit;
            } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
                // the disk does not permit bypassing the cache
            } finally {
                Files.deleteIfExists(file);
            }
        }
        return direct;
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // the file is deleted with its folder
        }
    }

    /** The speed of a disk in bytes per second. */
    record Speed(double reading, double writing) {}

    /**
     * Measures the disk speed by writing some arrays and reading them back.
     *
     * @param folder a folder that does not exist yet
     */
    static Speed measure(Path folder, List<ByteBuffer> arrays) {
        try (LevelFiles files = new LevelFiles(folder)) {
            List<Stored> stored = arrays.stream().map(array -> files.file()).toList();
            for (int i = 0; i < arrays.size(); i++) {
                stored.get(i).write(() -> {}, arrays.get(i));
            }
            stored.forEach(Stored::await);
            for (int i = 0; i < arrays.size(); i++) {
                stored.get(i).read(() -> {}, arrays.get(i));
            }
            stored.forEach(Stored::await);
            stored.forEach(Stored::delete);
            delete(folder);
            return new Speed(files.read.speed(), files.written.speed());
        }
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate().clear());
        return (int) sum.getValue();
    }

    Meter read() {
        return read;
    }

    Meter written() {
        return written;
    }

    /** Waits for running and queued operations. An operation that waits for an earlier one on its file never runs. */
    @Override
    public void close() {
        readers.shutdown();
        writers.shutdown();
        boolean interrupted = false;
        for (ExecutorService threads : new ExecutorService[] {readers, writers}) {
            while (!threads.isTerminated()) {
                try {
                    threads.awaitTermination(1, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
