package dev.bellman.large.levels;

import dev.bellman.large.tiles.TileGpu;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** An array in a {@link TieredTileCache}. The array is on one level or, with the same content, on two levels. */
final class Block {
    /** A task number greater than the numbers of all known tasks. */
    private static final int LATER = Integer.MAX_VALUE - 1;

    static final int NEVER = Integer.MAX_VALUE;

    /** A piece of GPU memory for one array. */
    static final class DeviceSlot {
        final long address;
        /** The event after the last write to this memory. */
        final TileGpu.GpuEvent written;
        /** The event after the last copy to the host. */
        final TileGpu.GpuEvent saved;
        /** For each stream, the event after its last task that used this memory. */
        final Map<Integer, TileGpu.GpuEvent> used = new HashMap<>();

        Block block;
        /** The number of the last task that used this memory. */
        long last = -TieredTileCache.MOVING;

        private final TileGpu gpu;

        DeviceSlot(TileGpu gpu, long address) {
            this.gpu = gpu;
            this.address = address;
            written = gpu.event();
            saved = gpu.event();
        }

        /** Makes a stream wait until nothing reads or writes the memory. */
        void awaitIdle(int stream) {
            gpu.await(stream, written);
            gpu.await(stream, saved);
            used.values().forEach(event -> gpu.await(stream, event));
        }

        /** Records that a task on a stream uses the memory. */
        void recordUse(int stream) {
            gpu.record(used.computeIfAbsent(stream, each -> gpu.event()), stream);
        }

        int next() {
            return block == null ? NEVER : block.next();
        }
    }

    /** A piece of host memory for one array. */
    static final class Buffer {
        final ByteBuffer bytes;
        /** The event after the last copy from the GPU. */
        final TileGpu.GpuEvent filled;
        /** The event after the last copy to the GPU. */
        final TileGpu.GpuEvent read;

        private final TileGpu gpu;

        Buffer(TileGpu gpu, ByteBuffer bytes) {
            this.gpu = gpu;
            this.bytes = bytes;
            filled = gpu.event();
            read = gpu.event();
        }

        /** Waits for copies from and to the GPU. May be called on any thread. */
        void await() {
            gpu.use();
            filled.await();
            read.await();
        }
    }

    /** Whether this array is released after the last known task that uses it. */
    final boolean temporary;
    /** Whether this array is evicted to files before others. */
    final boolean streams;
    /** The numbers of the known tasks that use this array and have not run yet. */
    final Deque<Integer> uses = new ArrayDeque<>();
    /** The array's file; null if the array was never written to a file. */
    LevelFiles.Stored file;

    DeviceSlot slot;
    Buffer buffer;
    boolean inFile;
    /** Whether reading from the file has begun for a task that has not run yet. */
    boolean ahead;
    /** Whether tasks that are not known yet will use this array. */
    private boolean later = true;

    Block(boolean temporary, boolean streams) {
        this.temporary = temporary;
        this.streams = streams;
    }

    /** Returns the array's address on the GPU. The array must remain on the GPU for the current task. */
    long address() {
        return slot.address;
    }

    /** Sets whether tasks after the next {@link TieredTileCache#run} use this array. */
    void usedLater(boolean later) {
        this.later = later;
    }

    /**
     * Returns the number of the next known task that uses this array; {@link #LATER} if only unknown tasks will use it,
     * and {@link #NEVER} if none will.
     */
    int next() {
        return !uses.isEmpty() ? uses.peek() : later ? LATER : NEVER;
    }

    /** Waits for pending reads and writes of the file. */
    void awaitFile() {
        if (file != null) {
            file.await();
        }
    }

    /** Waits for the array's bytes in host memory and returns them. May be called on any thread. */
    ByteBuffer content() {
        awaitFile();
        buffer.await();
        return buffer.bytes.duplicate().clear();
    }
}
