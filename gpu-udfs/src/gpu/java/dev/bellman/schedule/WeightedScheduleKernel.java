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
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import org.apache.spark.sql.types.DataTypes;

/** Selects weighted intervals on the GPU, with one warp per row. See {@code schedule/weighted_schedule.cu}. */
record WeightedScheduleKernel(SolverCall call) implements ColumnarKernel {
    record Numbers(long offsets, long validity, long numbers) {
        private static Numbers of(DeviceColumn lists) {
            return new Numbers(
                    lists.offsets(),
                    lists.elements().validity(),
                    lists.elements().values());
        }
    }

    record Calls(Numbers starts, Numbers ends, Numbers weights) {}

    record Answers(long sums, long counts, long items) {}

    private static final int BLOCK = 128;

    private boolean hasDoubles() {
        return call.type("weights").equals(DataTypes.createArrayType(DataTypes.DoubleType));
    }

    private DType number() {
        return hasDoubles() ? DType.FLOAT64 : DType.INT64;
    }

    private String named(String kernel) {
        return "weighted_schedule_" + kernel + (hasDoubles() ? "doubles" : "longs");
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("schedule/weighted_schedule");
        int rows = batch.rows();
        DeviceColumn starts = batch.lists(0, number());
        Calls calls = new Calls(
                Numbers.of(starts), Numbers.of(batch.lists(1, number())), Numbers.of(batch.lists(2, number())));
        DeviceMemoryBuffer sums = batch.allocateLongs(rows);
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(rows + 1L);
        Answers answers = new Answers(
                sums.getAddress(),
                counts.getAddress(),
                batch.scratch().allocateInts(starts.elements().rows()).getAddress());
        Instances instances =
                new Instances(batch, call, module.constant("CLASSES"), Instances.UNLIMITED, classified -> module.kernel(
                                named("classify_"))
                        .warps(rows, BLOCK)
                        .launch(rows, batch.validity(), calls, classified));
        for (Instances.Group group : instances.groups()) {
            module.kernel(named(""))
                    .grid(group.count())
                    .block(Kernel.WARP)
                    .sharedMemory(sharedMemory(group.largest()))
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            group.largest(),
                            calls,
                            answers,
                            instances.classified());
        }
        instances.regroup();
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer items = batch.allocateInts(offsets.total());
        module.kernel("weighted_schedule_items")
                .warps(rows, BLOCK)
                .launch(rows, calls, answers, offsets.buffer().getAddress(), items.getAddress());
        return Result.struct(
                hasDoubles() ? Result.doubles(sums) : Result.longs(sums), Result.lists(offsets, Result.ints(items)));
    }

    /** Returns the number of bytes of shared memory for a row. */
    private static int sharedMemory(int intervals) {
        return Long.BYTES * (2 * intervals + 1) + 2 * Integer.BYTES * intervals;
    }
}
