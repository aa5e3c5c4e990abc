package dev.bellman.chain.matrix;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Computes the order of a matrix chain as a string on the GPU by filling a table. */
final class MatrixChainOrderKernel implements ColumnarKernel {
    private final SolverCall call;

    MatrixChainOrderKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        ChainBatch chains = ChainBatch.checked(batch, call);
        Offsets offsets = batch.offsets(chains.lengths().text());
        DeviceMemoryBuffer text = batch.allocate(offsets.total());
        chains.solve(offsets, text);
        return Result.strings(offsets, text);
    }
}
