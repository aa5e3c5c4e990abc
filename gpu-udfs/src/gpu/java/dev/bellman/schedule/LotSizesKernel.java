package dev.bellman.schedule;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;

/** Finds the cheapest lots on the GPU, with one warp per row. See {@code schedule/lot_sizes.cu}. */
record LotSizesKernel(SolverCall call) implements ColumnarKernel {
    record Calls(long offsets, long validity, long demand, long setups, long holdings) {
        private static Calls of(Batch batch) {
            DeviceColumn demand = batch.lists(0, DType.INT64);
            return new Calls(
                    demand.offsets(),
                    demand.elements().validity(),
                    demand.elements().values(),
                    batch.column(1, Types.LONG).values(),
                    batch.column(2, Types.LONG).values());
        }
    }

    record Answers(long costs, long counts, long constants, long starts) {}

    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("schedule/lot_sizes");
        int rows = batch.rows();
        Calls calls = Calls.of(batch);
        long periods = batch.lists(0, DType.INT64).elements().rows();
        DeviceMemoryBuffer costs = batch.allocateLongs(rows);
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(rows + 1L);
        Answers answers = new Answers(
                costs.getAddress(),
                counts.getAddress(),
                batch.scratch().allocateLongs(periods).getAddress(),
                batch.scratch().allocateInts(periods).getAddress());
        new Instances(batch, call, 1, Instances.UNLIMITED, classified -> module.kernel("lot_sizes_starts")
                .warps(rows, BLOCK)
                .launch(rows, batch.validity(), calls, answers, classified));
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer lots = batch.allocateLongs(offsets.total());
        module.kernel("lot_sizes_lots")
                .warps(rows, BLOCK)
                .launch(rows, calls, answers, offsets.buffer().getAddress(), lots.getAddress());
        return Result.struct(Result.longs(costs), Result.lists(offsets, Result.longs(lots)));
    }
}
