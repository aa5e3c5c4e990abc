package dev.bellman.cuda;

import static jcuda.driver.JCudaDriver.cuCtxGetStreamPriorityRange;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoHAsync;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuMemsetD8Async;
import static jcuda.driver.JCudaDriver.cuStreamCreateWithPriority;
import static jcuda.driver.JCudaDriver.cuStreamDestroy;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;
import static jcuda.driver.JCudaDriver.cuStreamWaitEvent;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;

/**
 * A queue of GPU work that runs in order, but in parallel with the work in other streams. Calls except
 * {@link #await()} append work and return immediately.
 */
public final class Stream implements AutoCloseable {
    private final CUstream stream = new CUstream();

    /**
     * Creates a stream on this thread's device. Other threads may also use the stream, but only one thread at a time.
     *
     * @param urgent whether this stream's kernels begin before other streams' kernels that wait for the same
     *     multiprocessors
     */
    public Stream(boolean urgent) {
        Driver.currentDevice();
        int[] least = new int[1];
        int[] greatest = new int[1];
        Driver.check(cuCtxGetStreamPriorityRange(least, greatest), "read the priorities of streams");
        Driver.check(
                cuStreamCreateWithPriority(
                        stream, CUstream_flags.CU_STREAM_NON_BLOCKING, urgent ? greatest[0] : least[0]),
                "create a stream");
    }

    /** Makes later work in this stream wait for the work that precedes the most recent recording of the event. */
    public void await(Event event) {
        Driver.check(cuStreamWaitEvent(stream, event.event(), 0), "wait for an event");
    }

    /** @param to the address in GPU memory */
    public void upload(long to, PinnedMemory from, long bytes) {
        Driver.check(cuMemcpyHtoDAsync(device(to), from.pointer(), bytes, stream), "copy to the GPU");
    }

    /** @param from the address in GPU memory */
    public void download(PinnedMemory to, long from, long bytes) {
        Driver.check(cuMemcpyDtoHAsync(to.pointer(), device(from), bytes, stream), "copy from the GPU");
    }

    /** Fills GPU memory with zeros. */
    public void zero(long address, long bytes) {
        Driver.check(cuMemsetD8Async(device(address), (byte) 0, bytes, stream), "fill GPU memory");
    }

    private static CUdeviceptr device(long address) {
        return new CUdeviceptr().withByteOffset(address);
    }

    /** Waits until all work in the stream is complete. */
    public void await() {
        Driver.check(cuStreamSynchronize(stream), "wait for a stream");
    }

    CUstream stream() {
        return stream;
    }

    @Override
    public void close() {
        cuStreamDestroy(stream);
    }
}
