package dev.bellman.cuda;

import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
import static jcuda.driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS;
import static jcuda.driver.JCudaDriver.cuFuncGetAttribute;
import static jcuda.driver.JCudaDriver.cuFuncSetAttribute;
import static jcuda.driver.JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor;

import jcuda.driver.CUfunction;

/** A kernel on one device. Obtained from {@link CudaModule#kernel}; may be used from several threads. */
public final class Kernel {
    /** The number of threads in a warp. */
    public static final int WARP = 32;

    private final String name;
    private final ModuleInterface.Parameters parameters;
    private final CUfunction function;
    private final Device device;
    private int dynamicSharedMemory;

    Kernel(ModuleInterface.Parameters parameters, CUfunction function, Device device) {
        name = parameters.kernel();
        this.parameters = parameters;
        this.function = function;
        this.device = device;
        dynamicSharedMemory = attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    }

    public String name() {
        return name;
    }

    public Device device() {
        return device;
    }

    /** Returns the number of registers per thread. */
    public int registers() {
        return attribute(CU_FUNC_ATTRIBUTE_NUM_REGS);
    }

    /** Returns the maximum number of threads per block, which is the kernel's launch bound if it has one. */
    public int maxThreads() {
        return attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    }

    /**
     * Returns the number of bytes of local memory per thread, which is larger than zero if the compiler spilled
     * registers or indexed an array.
     */
    public int localMemory() {
        return attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    }

    /**
     * Returns a launch with the given number of blocks. A launch with 0 blocks has no effect, although CUDA would
     * report an error.
     */
    public Launch grid(int blocks) {
        return new Launch(this, blocks);
    }

    /**
     * Returns a launch with at least the given number of threads, in blocks of {@code block} threads. The kernel must
     * ignore the extra threads of the last block.
     */
    public Launch threads(long threads, int block) {
        return grid(Math.toIntExact((threads + block - 1) / block)).block(block);
    }

    /** Works like {@link #threads} for a number of warps. */
    public Launch warps(long warps, int block) {
        return threads(WARP * warps, block);
    }

    /**
     * Returns how many blocks with this shape can be resident on the whole GPU at the same time. A kernel whose blocks
     * process instances one by one uses at most this number of blocks.
     *
     * @param sharedMemory the size of a block's dynamic shared memory in bytes
     */
    public int residentBlocks(int block, int sharedMemory) {
        allowSharedMemory(sharedMemory);
        int[] blocks = new int[1];
        Driver.check(
                cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, sharedMemory),
                "compute the occupancy of the kernel " + name);
        return blocks[0] * device.multiprocessors();
    }

    /** Sets the attribute without which a kernel may not use more than 48 KiB of shared memory. */
    synchronized void allowSharedMemory(int bytes) {
        if (bytes > dynamicSharedMemory) {
            Driver.check(
                    cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes),
                    "allocate %d bytes of shared memory for the kernel %s; %s has at most %d bytes per block"
                            .formatted(bytes, name, device.name(), device.sharedMemoryPerBlock()));
            dynamicSharedMemory = bytes;
        }
    }

    ModuleInterface.Parameters parameters() {
        return parameters;
    }

    CUfunction function() {
        return function;
    }

    private int attribute(int attribute) {
        int[] value = new int[1];
        Driver.check(cuFuncGetAttribute(value, attribute, function), "read an attribute of the kernel " + name);
        return value[0];
    }
}
