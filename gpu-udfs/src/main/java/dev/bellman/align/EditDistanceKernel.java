package dev.bellman.align;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.StringColumn;
import dev.bellman.cuda.CudaModule;

/** Edit distance on the GPU: a thread for each pair. */
final class EditDistanceKernel implements ColumnarKernel {
    private static final int BLOCK = 128;

    @Override
    public DataType type() {
        return new BasicType(true, DType.INT32);
    }

    @Override
    public Result evaluate(Batch batch) {
        StringColumn a = batch.strings(0);
        StringColumn b = batch.strings(1);
        long limits = batch.arguments() == 3 ? batch.ints(2).values() : 0;
        DeviceMemoryBuffer table = batch.allocate(4 * (b.byteCount() + batch.rows()));
        DeviceMemoryBuffer distances = batch.allocate(4L * batch.rows());
        CudaModule.load("align/edit_distance")
                .kernel("edit_distance_table")
                .threads(batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        batch.validity(),
                        a.offsets(),
                        a.bytes(),
                        b.offsets(),
                        b.bytes(),
                        limits,
                        table.getAddress(),
                        distances.getAddress());
        return Result.ints(distances);
    }
}
