package dev.bellman.segment;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/** Fits lines to segments on the GPU, with one warp per row. See {@code segment/piecewise_linear.cu}. */
record PiecewiseLinearKernel(SolverCall call) implements ColumnarKernel {
    record Calls(long offsets, long validity, long values, long penalties) {}

    record Answers(long counts, long begins, long values, long slopes) {}

    record Results(long offsets, long begins, long ends, long values, long slopes) {}

    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("segment/piecewise_linear");
        int rows = batch.rows();
        DeviceColumn lists = batch.lists(0, DType.FLOAT64);
        DeviceColumn numbers = lists.elements();
        Calls calls = new Calls(
                lists.offsets(),
                numbers.validity(),
                numbers.values(),
                batch.column(1, Types.DOUBLE).values());
        Scratch scratch = batch.scratch();
        DeviceMemoryBuffer counts = scratch.zeroInts(rows + 1L);
        Answers answers = new Answers(
                counts.getAddress(),
                scratch.allocateInts(numbers.rows()).getAddress(),
                scratch.allocateDoubles(numbers.rows()).getAddress(),
                scratch.allocateDoubles(numbers.rows()).getAddress());
        solve(batch, module, calls, answers);
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer begins = batch.allocateInts(offsets.total());
        DeviceMemoryBuffer ends = batch.allocateInts(offsets.total());
        DeviceMemoryBuffer values = batch.allocateDoubles(offsets.total());
        DeviceMemoryBuffer slopes = batch.allocateDoubles(offsets.total());
        Results results = new Results(
                offsets.buffer().getAddress(),
                begins.getAddress(),
                ends.getAddress(),
                values.getAddress(),
                slopes.getAddress());
        module.kernel("piecewise_linear_results").warps(rows, BLOCK).launch(rows, calls, answers, results);
        return Result.lists(
                offsets,
                Result.struct(Result.ints(begins), Result.ints(ends), Result.doubles(values), Result.doubles(slopes)));
    }

    private void solve(Batch batch, CudaModule module, Calls calls, Answers answers) {
        int unit = module.constant("PREFIX_BYTES");
        Instances instances =
                Instances.of(batch, call, module, unit, classified -> module.kernel("piecewise_linear_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        Slots slots = Slots.of(instances);
        Slots.Shape shape = new Slots.Shape(module.kernel("piecewise_linear"), Kernel.WARP);
        for (Instances.Group group : instances.groups()) {
            slots.solve(group, shape, (long) unit * group.largest(), calls, answers);
        }
    }
}
