package dev.bellman.segment;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/** Partitions numbers into bins on the GPU, with one warp per row. See {@code segment/optimal_bins.cu}. */
record OptimalBinsKernel(SolverCall call) implements ColumnarKernel {
    record Calls(long offsets, long validity, long values, long bins) {}

    record Answers(long costs, long centersCounts, long boundsCounts, long centers, long bounds) {}

    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("segment/optimal_bins");
        int rows = batch.rows();
        DeviceColumn lists = batch.lists(0, DType.FLOAT64);
        DeviceColumn numbers = lists.elements();
        Calls calls = new Calls(
                lists.offsets(),
                numbers.validity(),
                numbers.values(),
                batch.ints(1).values());
        DeviceMemoryBuffer costs = batch.allocateDoubles(rows);
        DeviceMemoryBuffer centersCounts = batch.scratch().zeroInts(rows + 1L);
        DeviceMemoryBuffer boundsCounts = batch.scratch().zeroInts(rows + 1L);
        Answers answers = new Answers(
                costs.getAddress(),
                centersCounts.getAddress(),
                boundsCounts.getAddress(),
                batch.scratch().allocateDoubles(numbers.rows()).getAddress(),
                batch.scratch().allocateDoubles((long) numbers.rows() + rows).getAddress());
        solve(batch, module, calls, answers);
        Offsets centerOffsets = batch.offsets(centersCounts);
        Offsets boundOffsets = batch.offsets(boundsCounts);
        DeviceMemoryBuffer centers = batch.allocateDoubles(centerOffsets.total());
        DeviceMemoryBuffer bounds = batch.allocateDoubles(boundOffsets.total());
        module.kernel("optimal_bins_results")
                .warps(rows, BLOCK)
                .launch(
                        rows,
                        calls,
                        answers,
                        centerOffsets.buffer().getAddress(),
                        centers.getAddress(),
                        boundOffsets.buffer().getAddress(),
                        bounds.getAddress());
        return Result.struct(
                Result.lists(centerOffsets, Result.doubles(centers)),
                Result.lists(boundOffsets, Result.doubles(bounds)),
                Result.doubles(costs));
    }

    private void solve(Batch batch, CudaModule module, Calls calls, Answers answers) {
        int unit = module.constant("SLOT_UNIT");
        Instances instances =
                Instances.of(batch, call, module, unit, classified -> module.kernel("optimal_bins_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        Slots slots = Slots.of(instances);
        Slots.Shape shape = new Slots.Shape(module.kernel("optimal_bins"), Kernel.WARP);
        for (Instances.Group group : instances.groups()) {
            slots.solve(group, shape, (long) unit * group.largest(), calls, answers, instances.classified());
        }
        instances.regroup();
    }
}
