package dev.bellman.columns;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.cuda.CudaModule;
import dev.bellman.large.tiles.CudaTiles;

/**
 * A {@link CudaTiles} on the GPU of a Spark task. Adds the kernels of a problem, memory outside the tiles, and a
 * failure flag that tasks can set.
 */
public abstract class TaskTiles extends CudaTiles {
    private final CudaModule module;
    private final Scratch scratch = new Scratch();
    private final DeviceMemoryBuffer beside;
    private final DeviceMemoryBuffer failureFlag;

    /**
     * Creates an instance that uses the GPU of a Spark task.
     *
     * @param module the name of the kernels' module
     * @param none the initial value of each byte of the failure flag
     * @param beside the number of bytes of memory outside the tiles
     * @param tiles the number of bytes of memory for tiles
     */
    protected TaskTiles(String module, byte none, long beside, long tiles) {
        super(onTaskGpu(tiles));
        try {
            this.module = CudaModule.load(module);
            this.beside = scratch.allocate(beside);
            failureFlag = scratch.filled(Integer.BYTES, none);
            // wait, because the tasks' streams do not wait for this thread's stream
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

    /** Returns the address of the memory outside the tiles. */
    protected final long beside() {
        return beside.getAddress();
    }

    protected final long failureFlagAddress() {
        return failureFlag.getAddress();
    }

    /** Reads the failure flag after all tasks have run. */
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
