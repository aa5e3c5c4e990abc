package dev.bellman.large.grid;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The small files that a task writes to a {@link TileStore}, some at a time, while it goes on: a distributed file
 * system takes long for each, however small.
 */
final class WriteBehind implements AutoCloseable {
    private static final int FILES = 4;

    /** Of a file: of larger ones, the memory counts more than the time. */
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

    /** Writes the rest of a buffer, whose bytes do not change any more. */
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
     * Waits for all files.
     *
     * @throws dev.bellman.BellmanException as {@link TileStore#write}
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

    /** Waits for what has begun, also after a failure: nothing may appear later in a folder that is deleted then. */
    @Override
    public void close() {
        files.forEach(file -> file.handle((done, failure) -> done).join());
    }
}
