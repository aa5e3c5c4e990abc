package dev.bellman.columns;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.cuda.CudaModule;
import dev.bellman.large.tiles.CudaTiles;

/**
 * {@link CudaTiles} on the GPU of a Spark task: the kernels of a problem, memory beside the tiles, and a word in which
 * tasks note that there is no answer.
 */
public abstract class TaskTiles extends CudaTiles {
    private final CudaModule module;
    private final Scratch scratch = new Scratch();
    private final DeviceMemoryBuffer beside;
    private final DeviceMemoryBuffer note;

    /**
     * Opens the GPU.
     *
     * @param module the kernels
     * @param none each byte of the note as long as there is none
     * @param beside bytes of memory beside the tiles
     * @param tiles bytes of memory for tiles
     */
    protected TaskTiles(String module, byte none, long beside, long tiles) {
        super(onTaskGpu(tiles));
        try {
            this.module = CudaModule.load(module);
            this.beside = scratch.allocate(beside);
            note = scratch.filled(Integer.BYTES, none);
            // the streams of tasks do not wait for this thread's
            note();
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

    /** The address of the memory beside the tiles. */
    protected final long beside() {
        return beside.getAddress();
    }

    /** The address of the note. */
    protected final long noteAddress() {
        return note.getAddress();
    }

    /** What tasks noted, after all of them. */
    protected final int note() {
        return DeviceArrays.readInts(note, 0, 1)[0];
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
