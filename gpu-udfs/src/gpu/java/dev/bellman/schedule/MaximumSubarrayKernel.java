package dev.bellman.schedule;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import org.apache.spark.sql.types.DataTypes;

/** Finds the subarrays with the maximum sums on the GPU. See {@code schedule/maximum_subarray.cu}. */
record MaximumSubarrayKernel(SolverCall call) implements ColumnarKernel {
    record Answers(long sums, long begins, long ends) {}

    private static final int BLOCK = 128;

    private boolean hasDoubles() {
        return call.type("values").equals(DataTypes.createArrayType(DataTypes.DoubleType));
    }

    private DType number() {
        return hasDoubles() ? DType.FLOAT64 : DType.INT64;
    }

    @Override
    public Result evaluate(Batch batch) {
        int rows = batch.rows();
        DeviceColumn lists = batch.lists(0, number());
        DeviceMemoryBuffer sums = batch.allocateLongs(rows);
        DeviceMemoryBuffer begins = batch.allocateInts(rows);
        DeviceMemoryBuffer ends = batch.allocateInts(rows);
        new Instances(batch, call, 1, Instances.UNLIMITED, classified -> CudaModule.load("schedule/maximum_subarray")
                .kernel(hasDoubles() ? "maximum_subarray_doubles" : "maximum_subarray_longs")
                .warps(rows, BLOCK)
                .launch(
                        rows,
                        batch.validity(),
                        lists.offsets(),
                        lists.elements().validity(),
                        lists.elements().values(),
                        new Answers(sums.getAddress(), begins.getAddress(), ends.getAddress()),
                        classified));
        return Result.struct(
                hasDoubles() ? Result.doubles(sums) : Result.longs(sums), Result.ints(begins), Result.ints(ends));
    }
}
