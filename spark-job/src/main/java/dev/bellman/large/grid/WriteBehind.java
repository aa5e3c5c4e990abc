package dev.bellman.large.grid;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Writes the small files of a task to a {@link TileStore} in the background, several at a time, because distributed
 * file systems have a high latency for each file.
 */
final class WriteBehind implements AutoCloseable {
    private static final int FILES = 4;

    /**
     * The maximum size of a file that is written in the background. For larger files, saving memory matters more than
     * saving time.
     */
    private static final int MAX_BYTES = 4 << 20;

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "bellman-tiles-store");
        thread.setDaemon(true);
        return thread;
    });

    private final TileStore store;
    private final Deque<CompletableFuture<Void>> files = new ArrayDeque<>();

    WriteBehind(TileStore store) {
        this.store = store;
    }

    /** Writes the rest of a buffer. The contents of the buffer must not change after this call. */
    void write(String name, ByteBuffer content) {
        if (content.remaining() > MAX_BYTES) {
            store.write(name, content);
            return;
        }
        if (files.size() == FILES) {
            await(files.remove());
        }
        ByteBuffer own = content.duplicate();
        files.add(CompletableFuture.runAsync(() -> store.write(name, own), THREADS));
    }

    /**
     * Waits until all files have been written.
     *
     * @throws dev.bellman.BellmanException in the same cases as {@link TileStore#write}
     */
    void finish() {
        while (!files.isEmpty()) {
            await(files.remove());
        }
    }

    private static void await(CompletableFuture<Void> file) {
        try {
            file.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /**
     * Even after a failure, waits for pending writes, so that no file appears in the folder after it has been deleted.
     */
    @Override
    public void close() {
        files.forEach(file -> file.handle((done, failure) -> done).join());
    }
}
