package dev.bellman.fold;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/** Handles RNA structures in dot-bracket notation on the GPU. */
public final class Structures {
    private static final int BLOCK = 128;

    private Structures() {}

    /**
     * Returns a column of structures.
     *
     * @param sequences the sequences
     * @param structures the structures of the solved rows, each at the positions of its sequence's letters
     */
    public static Result column(
            Batch batch, Instances instances, DeviceColumn sequences, DeviceMemoryBuffer structures) {
        int rows = batch.rows();
        CudaModule module = CudaModule.load("fold/structures");
        DeviceMemoryBuffer lengths = batch.allocateInts(rows + 1L);
        module.kernel("structure_lengths")
                .threads(rows + 1L, BLOCK)
                .launch(rows, sequences.offsets(), instances.classified(), lengths.getAddress());
        Offsets offsets = batch.offsets(lengths);
        DeviceMemoryBuffer letters = batch.allocate(offsets.total());
        module.kernel("structure_write")
                .warps(rows, BLOCK)
                .launch(
                        rows,
                        sequences.offsets(),
                        structures.getAddress(),
                        offsets.buffer().getAddress(),
                        letters.getAddress());
        return Result.strings(offsets, letters);
    }

    /**
     * Returns the number of threads for a block that computes a table one diagonal or one row at a time. It is usually
     * a quarter to half of the length of the diagonal or row, and more if only a few blocks run.
     *
     * @param most the maximum number of threads per block, a power of two; a multiprocessor is assumed to run this
     *     many threads at a time
     */
    public static int threads(Kernel kernel, int n, int most, int blocks) {
        long resident = (long) most * kernel.device().multiprocessors();
        int threads = Math.max(Kernel.WARP, Math.min(most, Integer.highestOneBit(n) / 2));
        while (threads < Math.min(most, n) && 2L * threads * blocks <= resident) {
            threads *= 2;
        }
        return threads;
    }
}
