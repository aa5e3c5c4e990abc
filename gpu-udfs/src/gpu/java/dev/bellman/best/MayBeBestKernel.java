package dev.bellman.best;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;

/** Runs {@link TopNPrefilter} on the GPU with {@code best/may_be_best.cu}. */
record MayBeBestKernel(int count) implements ColumnarKernel {
    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("best/may_be_best");
        DeviceMemoryBuffer marks = batch.allocate(batch.rows());
        int rows = module.constant("ROWS_OF_A_BLOCK");
        module.kernel("may_be_best")
                .grid((int) ((batch.rows() + rows - 1L) / rows))
                .block(module.constant("BEST_BLOCK"))
                .launch(
                        batch.rows(),
                        batch.validity(),
                        batch.column(0, Types.LONG).values(),
                        batch.column(1, Types.LONG).values(),
                        count,
                        marks.getAddress());
        return Result.booleans(marks);
    }
}
