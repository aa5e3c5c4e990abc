package dev.bellman.columns;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.cuda.CudaModule;
import dev.bellman.large.tiles.CudaTiles;

/**
 * {@link CudaTiles} on the GPU of a Spark task: the kernels of a problem, memory besides the tiles, and a failure flag
 * set by tasks.
 */
public abstract class TaskTiles extends CudaTiles {
    private final CudaModule module;
    private final Scratch scratch = new Scratch();
    private final DeviceMemoryBuffer beside;
    private final DeviceMemoryBuffer failureFlag;

    /**
     * Opens the GPU.
     *
     * @param module the kernels
     * @param none each byte of the failure flag until a task sets it
     * @param beside bytes of memory besides the tiles
     * @param tiles bytes of memory for tiles
     */
    protected TaskTiles(String module, byte none, long beside, long tiles) {
        super(onTaskGpu(tiles));
        try {
            this.module = CudaModule.load(module);
            this.beside = scratch.allocate(beside);
            failureFlag = scratch.filled(Integer.BYTES, none);
            // the streams of tasks do not wait for this thread's
            failureFlag();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private static long onTaskGpu(long bytes) {
        TaskGpu.use();
        return bytes;
    }

    protected final CudaModule module() {
        return module;
    }

    /** The address of the memory besides the tiles. */
    protected final long beside() {
        return beside.getAddress();
    }

    /** The address of the failure flag. */
    protected final long failureFlagAddress() {
        return failureFlag.getAddress();
    }

    /** Reads the failure flag, after all tasks. */
    protected final int failureFlag() {
        return DeviceArrays.readInts(failureFlag, 0, 1)[0];
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            scratch.close();
        }
    }
}
