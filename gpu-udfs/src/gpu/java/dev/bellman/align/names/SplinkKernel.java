package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/**
 * Runs {@code jaro_sim(a, b)}, {@code jaro_winkler(a, b)} and {@code jaccard(a, b)} of {@link SplinkFunctions} on the
 * GPU, with one thread per pair. The CPU solves pairs that contain a string with more than 64 characters, or a
 * character that does not fit in one UTF-16 code unit.
 */
record SplinkKernel(SolverCall call, String function) implements ColumnarKernel {
    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/names/splink");
        Texts a = Texts.of(batch.strings(0));
        Texts b = Texts.of(batch.strings(1));
        Instances pairs = new Instances(batch, call, 1, Instances.UNLIMITED, rows -> module.kernel("splink_classify")
                .threads(batch.rows(), BLOCK)
                .launch(batch.rows(), batch.validity(), a, b, rows));
        DeviceMemoryBuffer similarities = batch.allocateDoubles(batch.rows());
        for (Instances.Group group : pairs.groups()) {
            module.kernel("splink_" + function)
                    .threads(group.count(), BLOCK)
                    .launch(group.count(), pairs.order().getAddress(), a, b, similarities.getAddress());
        }
        return Result.doubles(similarities);
    }
}
