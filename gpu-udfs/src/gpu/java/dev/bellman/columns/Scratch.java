package dev.bellman.columns;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Device memory that is freed when its try block ends, normally or with an exception. Freeing memory does not wait for
 * kernels, because it is ordered in the thread's stream like all other work.
 */
public final class Scratch implements AutoCloseable {
    private final Deque<DeviceMemoryBuffer> buffers = new ArrayDeque<>();

    /**
     * Allocates at least one byte of memory with undefined content, aligned to 256 bytes. Also checks whether the task
     * was killed, so that killed tasks end between launches.
     */
    public DeviceMemoryBuffer allocate(long bytes) {
        Cancellation.check();
        DeviceMemoryBuffer buffer = DeviceMemoryBuffer.allocate(Math.max(1, bytes), Cuda.DEFAULT_STREAM);
        buffers.push(buffer);
        return buffer;
    }

    /** Allocates memory for the given number of int32. */
    public DeviceMemoryBuffer allocateInts(long count) {
        return allocate(Integer.BYTES * count);
    }

    /** Allocates memory for the given number of int64. */
    public DeviceMemoryBuffer allocateLongs(long count) {
        return allocate(Long.BYTES * count);
    }

    /** Allocates memory for the given number of doubles. */
    public DeviceMemoryBuffer allocateDoubles(long count) {
        return allocate(Double.BYTES * count);
    }

    /** Allocates the given number of int32, all of which are 0. */
    public DeviceMemoryBuffer zeroInts(long count) {
        return filled(Integer.BYTES * count, (byte) 0);
    }

    /** Allocates memory with every byte set to {@code value}. */
    public DeviceMemoryBuffer filled(long bytes, byte value) {
        DeviceMemoryBuffer buffer = allocate(bytes);
        if (bytes > 0) {
            Cuda.asyncMemset(buffer.getAddress(), value, bytes);
        }
        return buffer;
    }

    /** Frees one buffer before the block ends. */
    public void free(DeviceMemoryBuffer buffer) {
        release(buffer);
        buffer.close();
    }

    /** Transfers ownership of a buffer to the caller, who must close it. */
    DeviceMemoryBuffer release(DeviceMemoryBuffer buffer) {
        if (!buffers.removeFirstOccurrence(buffer)) {
            throw new IllegalArgumentException("the buffer does not belong to this Scratch");
        }
        return buffer;
    }

    @Override
    public void close() {
        while (!buffers.isEmpty()) {
            buffers.pop().close();
        }
    }
}
