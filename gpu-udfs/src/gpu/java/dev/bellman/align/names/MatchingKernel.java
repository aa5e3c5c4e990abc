package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/**
 * Runs {@code monge_elkan(a, b, metric)}, {@code pairwise_min(a, b, metric)} and {@code pairwise_max(a, b, metric)} on
 * the GPU, with one thread per row. The kernels support {@code ratio}, the two Jaro similarities and the distances.
 * They solve rows with at most 1,024 pairs of strings or words, which have at most 64 characters each; the CPU solves
 * all other rows, and rows whose words {@code words.cuh} does not support.
 */
record MatchingKernel(SolverCall call, String function) implements ColumnarKernel {
    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/names/matching");
        boolean ofWords = function.equals("monge_elkan");
        Object a = ofWords ? Texts.of(batch.strings(0)) : TextLists.of(batch, 0);
        Object b = ofWords ? Texts.of(batch.strings(1)) : TextLists.of(batch, 1);
        Texts metrics = Texts.of(batch.strings(2));
        Instances rows = new Instances(
                batch, call, module.constant("WORK_CLASSES"), Instances.UNLIMITED, classified -> module.kernel(
                                ofWords ? "monge_elkan_classify" : "pairwise_classify")
                        .threads(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), a, b, metrics, classified));
        // classes only ensure that the threads of a warp have similar amounts of work; all classes use the same kernel
        int count = rows.groups().stream().mapToInt(Instances.Group::count).sum();
        DeviceMemoryBuffer values = batch.allocateDoubles(batch.rows());
        module.kernel(function + "_solve")
                .threads(count, BLOCK)
                .launch(count, rows.order().getAddress(), a, b, metrics, values.getAddress());
        return Result.doubles(values);
    }
}
