package dev.bellman.large.levels;

import dev.bellman.large.tiles.TileGpu;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** An array of a {@link TieredTileCache}, on one level or on two with the same content. */
final class Block {
    /** After all tasks that are known. */
    private static final int LATER = Integer.MAX_VALUE - 1;

    static final int NEVER = Integer.MAX_VALUE;

    /** Memory of the GPU for one array. */
    static final class DeviceSlot {
        final long address;
        /** After what wrote it. */
        final TileGpu.GpuEvent written;
        /** After its copy to the host. */
        final TileGpu.GpuEvent saved;
        /** After the last task of each stream that used it. */
        final Map<Integer, TileGpu.GpuEvent> used = new HashMap<>();

        Block block;
        /** The number of the last task that used it. */
        long last = -TieredTileCache.MOVING;

        private final TileGpu gpu;

        DeviceSlot(TileGpu gpu, long address) {
            this.gpu = gpu;
            this.address = address;
            written = gpu.event();
            saved = gpu.event();
        }

        /** Waits on a stream until nothing reads or writes it any more. */
        void awaitIdle(int stream) {
            gpu.await(stream, written);
            gpu.await(stream, saved);
            used.values().forEach(event -> gpu.await(stream, event));
        }

        /** After a task on a stream. */
        void recordUse(int stream) {
            gpu.record(used.computeIfAbsent(stream, each -> gpu.event()), stream);
        }

        int next() {
            return block == null ? NEVER : block.next();
        }
    }

    /** Memory of the host for one array. */
    static final class Buffer {
        final ByteBuffer bytes;
        /** After the copy from the GPU. */
        final TileGpu.GpuEvent filled;
        /** After the copy to the GPU. */
        final TileGpu.GpuEvent read;

        private final TileGpu gpu;

        Buffer(TileGpu gpu, ByteBuffer bytes) {
            this.gpu = gpu;
            this.bytes = bytes;
            filled = gpu.event();
            read = gpu.event();
        }

        /** Waits for copies from and to the GPU; on any thread. */
        void await() {
            gpu.use();
            filled.await();
            read.await();
        }
    }

    /** Whether it is released after the last known task that uses it. */
    final boolean temporary;
    /** Whether this goes to files first. */
    final boolean streams;
    /** The tasks that use it, of those that are known and not run yet. */
    final Deque<Integer> uses = new ArrayDeque<>();
    /** Null if it was never in one. */
    LevelFiles.Stored file;

    DeviceSlot slot;
    Buffer buffer;
    boolean inFile;
    /** Being read from its file, or read, for a task that has not run yet. */
    boolean ahead;
    /** Whether tasks use it that are not known yet. */
    private boolean later = true;

    Block(boolean temporary, boolean streams) {
        this.temporary = temporary;
        this.streams = streams;
    }

    /** On the GPU, for a task that is run now. */
    long address() {
        return slot.address;
    }

    /** Says whether tasks after the next {@link TieredTileCache#run} use it. */
    void usedLater(boolean later) {
        this.later = later;
    }

    /** The number of the next task that uses it. */
    int next() {
        return !uses.isEmpty() ? uses.peek() : later ? LATER : NEVER;
    }

    /** Waits for reads and writes of its file. */
    void awaitFile() {
        if (file != null) {
            file.await();
        }
    }

    /** Its bytes in memory of the host, once they are there; on any thread. */
    ByteBuffer content() {
        awaitFile();
        buffer.await();
        return buffer.bytes.duplicate().clear();
    }
}
