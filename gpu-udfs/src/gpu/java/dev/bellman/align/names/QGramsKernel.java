package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/**
 * Runs {@code qgram_similarity(a, b, q, coefficient)} on the GPU, with one thread per pair, which takes quadratic time.
 * The CPU, which takes linear time, solves longer pairs.
 */
record QGramsKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 256;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/names/qgrams");
        Texts a = Texts.of(batch.strings(0));
        Texts b = Texts.of(batch.strings(1));
        long q = batch.ints(2).values();
        Texts coefficients = Texts.of(batch.strings(3));
        Instances pairs = new Instances(
                batch, call, 1, key -> module.constant("MAX_BYTES"), rows -> module.kernel("qgrams_classify")
                        .threads(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), a, b, q, coefficients, rows));
        DeviceMemoryBuffer similarities = batch.allocateDoubles(batch.rows());
        for (Instances.Group group : pairs.groups()) {
            module.kernel("qgrams_solve")
                    .threads(group.count(), BLOCK)
                    .launch(
                            group.count(),
                            pairs.order().getAddress() + (long) Integer.BYTES * group.from(),
                            a,
                            b,
                            q,
                            coefficients,
                            similarities.getAddress());
        }
        return Result.doubles(similarities);
    }
}
