package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;

/**
 * Runs {@code weighted_edit_distance(a, b, insert, delete, substitute)} on the GPU, with one thread per pair. The CPU
 * solves pairs that contain a string with more than {@code MAX_BYTES} bytes.
 */
record WeightedKernel(SolverCall call) implements ColumnarKernel {
    private static final int CLASSIFY_BLOCK = 256;

    /**
     * The number of threads per block for each class of pairs, chosen so that the rows of all threads fit in shared
     * memory.
     */
    private static final int[] BLOCKS = {64, 32};

    /** The costs in the kernels' layout ({@code Costs} in {@code weighted.cu}). */
    record Costs(long insertion, long deletion, long substitution) {}

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/names/weighted");
        int longest = module.constant("MAX_BYTES");
        Texts a = Texts.of(batch.strings(0));
        Texts b = Texts.of(batch.strings(1));
        Costs costs = new Costs(
                batch.column(2, Types.DOUBLE).values(),
                batch.column(3, Types.DOUBLE).values(),
                batch.column(4, Types.DOUBLE).values());
        Instances pairs =
                new Instances(batch, call, BLOCKS.length, key -> longest, rows -> module.kernel("weighted_classify")
                        .threads(batch.rows(), CLASSIFY_BLOCK)
                        .launch(batch.rows(), batch.validity(), a, b, costs, rows));
        DeviceMemoryBuffer distances = batch.allocateDoubles(batch.rows());
        for (Instances.Group group : pairs.groups()) {
            int most = group.key() == 0 ? module.constant("SHORT_BYTES") : longest;
            int block = BLOCKS[group.key()];
            module.kernel("weighted_solve")
                    .threads(group.count(), block)
                    .sharedMemory(block * (Double.BYTES * (most + 1) + Integer.BYTES * most))
                    .launch(
                            group.count(),
                            pairs.order().getAddress() + (long) Integer.BYTES * group.from(),
                            a,
                            b,
                            costs,
                            most,
                            distances.getAddress());
        }
        return Result.doubles(distances);
    }
}
