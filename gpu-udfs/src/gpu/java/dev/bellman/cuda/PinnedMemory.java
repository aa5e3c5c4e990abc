package dev.bellman.cuda;

import static jcuda.driver.JCudaDriver.cuMemHostRegister;
import static jcuda.driver.JCudaDriver.cuMemHostUnregister;

import ai.rapids.cudf.HostMemoryBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/**
 * Host memory that the operating system does not move, so that a GPU can copy to and from it at full speed while it
 * computes. The memory is written before it is pinned, which is faster than an allocation by CUDA (2 GB/s).
 */
public final class PinnedMemory implements AutoCloseable {
    /** The page size. CUDA pins whole pages, and refuses a page that is already pinned. */
    private static final int PAGE = 4096;

    private final HostMemoryBuffer memory;
    private final ByteBuffer bytes;
    private final Pointer pointer;

    /** Allocates memory that is filled with zeros. */
    public PinnedMemory(int bytes) {
        Driver.currentDevice();
        long pages = ((long) bytes + PAGE - 1) / PAGE * PAGE;
        memory = HostMemoryBuffer.allocateRaw(pages + PAGE);
        try {
            memory.setMemory(0, memory.getLength(), (byte) 0);
            long first = Math.floorMod(-memory.getAddress(), (long) PAGE);
            this.bytes = memory.asByteBuffer(first, bytes).order(ByteOrder.nativeOrder());
            pointer = Pointer.to(this.bytes);
            Driver.check(
                    cuMemHostRegister(pointer, pages, JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE),
                    ("pin %,d bytes of host memory (spark.bellman.tiles.hostMemory limits the pinned memory)")
                            .formatted(bytes));
        } catch (Throwable e) {
            memory.close();
            throw e;
        }
    }

    /** Returns the whole memory, in the GPU's byte order. Must not be used after {@link #close}. */
    public ByteBuffer bytes() {
        return bytes;
    }

    Pointer pointer() {
        return pointer;
    }

    @Override
    public void close() {
        cuMemHostUnregister(pointer);
        memory.close();
    }
}
