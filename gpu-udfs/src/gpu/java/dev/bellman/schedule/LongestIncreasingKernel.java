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
import org.apache.spark.sql.types.DataTypes;

/** Finds the longest increasing subsequences on the GPU. See {@code schedule/longest_increasing.cu}. */
record LongestIncreasingKernel(SolverCall call) implements ColumnarKernel {
    record Answers(long counts, long lengths, long tails) {}

    private static final int BLOCK = 128;

    private boolean hasDoubles() {
        return call.type("values").equals(DataTypes.createArrayType(DataTypes.DoubleType));
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("schedule/longest_increasing");
        int rows = batch.rows();
        DeviceColumn lists = batch.lists(0, hasDoubles() ? DType.FLOAT64 : DType.INT64);
        long values = lists.elements().rows();
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(rows + 1L);
        Answers answers = new Answers(
                counts.getAddress(),
                batch.scratch().allocateInts(values).getAddress(),
                batch.scratch().allocateLongs(values).getAddress());
        new Instances(batch, call, 1, Instances.UNLIMITED, classified -> module.kernel(
                        hasDoubles() ? "longest_increasing_doubles" : "longest_increasing_longs")
                .warps(rows, BLOCK)
                .launch(
                        rows,
                        batch.validity(),
                        lists.offsets(),
                        lists.elements().validity(),
                        lists.elements().values(),
                        answers,
                        classified));
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer places = batch.allocateInts(offsets.total());
        module.kernel("longest_increasing_places")
                .warps(rows, BLOCK)
                .launch(rows, lists.offsets(), answers, offsets.buffer().getAddress(), places.getAddress());
        return Result.lists(offsets, Result.ints(places));
    }
}
