package dev.bellman.cuda;

import static jcuda.driver.JCudaDriver.CU_STREAM_PER_THREAD;
import static jcuda.driver.JCudaDriver.cuLaunchCooperativeKernel;
import static jcuda.driver.JCudaDriver.cuLaunchKernel;

import java.util.List;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;

/** A builder for a launch: {@code kernel.grid(blocks).block(128).sharedMemory(bytes).launch(arguments)}. */
public final class Launch {
    private final Kernel kernel;
    private final int grid;
    private int block = 1;
    private int sharedMemory;
    private boolean cooperative;
    private CUstream stream = CU_STREAM_PER_THREAD;

    Launch(Kernel kernel, int grid) {
        this.kernel = kernel;
        this.grid = grid;
    }

    /** Sets the number of threads per block; the default is one. */
    public Launch block(int threads) {
        block = threads;
        return this;
    }

    /** Sets the number of bytes of dynamic shared memory per block; the default is none. */
    public Launch sharedMemory(int bytes) {
        sharedMemory = bytes;
        return this;
    }

    /**
     * Makes all blocks run at the same time, so that they may wait for each other. The number of blocks must be at most
     * {@link Kernel#residentBlocks}.
     */
    public Launch cooperative() {
        cooperative = true;
        return this;
    }

    /** Uses the given stream instead of this thread's stream. */
    public Launch on(Stream other) {
        stream = other.stream();
        return this;
    }

    /**
     * Enqueues the kernel on its stream and returns immediately.
     *
     * @param arguments the arguments in the order of the kernel's parameters: {@code Long} for a pointer or a 64-bit
     *     integer, {@code Integer} for 32 bits, {@code Short}, {@code Byte}, {@code Float}, {@code Double}. A record is
     *     passed as a {@link Struct} if the kernel takes one, otherwise as its members
     * @throws dev.bellman.BellmanException with the kernel's name, if its parameters differ or CUDA does not accept the
     *     launch
     */
    public void launch(Object... arguments) {
        List<Object> matched = kernel.parameters().match(arguments);
        if (grid == 0) {
            return;
        }
        kernel.allowSharedMemory(sharedMemory);
        Pointer[] pointers = matched.stream().map(Launch::pointer).toArray(Pointer[]::new);
        KernelTimer.record(
                kernel.name(),
                () -> Driver.check(
                        submit(Pointer.to(pointers)),
                        "launch the kernel %s with %d blocks of %d threads and %d bytes of shared memory"
                                .formatted(kernel.name(), grid, block, sharedMemory)));
    }

    private int submit(Pointer arguments) {
        CUfunction function = kernel.function();
        return cooperative
                ? cuLaunchCooperativeKernel(function, grid, 1, 1, block, 1, 1, sharedMemory, stream, arguments)
                : cuLaunchKernel(function, grid, 1, 1, block, 1, 1, sharedMemory, stream, arguments, null);
    }

    private static Pointer pointer(Object argument) {
        if (argument instanceof Long value) {
            return Pointer.to(new long[] {value});
        } else if (argument instanceof Integer value) {
            return Pointer.to(new int[] {value});
        } else if (argument instanceof Short value) {
            return Pointer.to(new short[] {value});
        } else if (argument instanceof Byte value) {
            return Pointer.to(new byte[] {value});
        } else if (argument instanceof Float value) {
            return Pointer.to(new float[] {value});
        } else if (argument instanceof Double value) {
            return Pointer.to(new double[] {value});
        }
        return Pointer.to(Struct.bytes((Record) argument));
    }
}
