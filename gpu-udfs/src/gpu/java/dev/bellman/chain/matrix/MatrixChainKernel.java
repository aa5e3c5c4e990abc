package dev.bellman.chain.matrix;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Computes the cost, the order and the splits of a matrix chain on the GPU by filling a table. */
final class MatrixChainKernel implements ColumnarKernel {
    private final SolverCall call;

    MatrixChainKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        ChainBatch chains = ChainBatch.checked(batch, call);
        ChainBatch.Lengths lengths = chains.lengths();
        Offsets textOffsets = batch.offsets(lengths.text());
        Offsets splitOffsets = batch.offsets(lengths.splits());
        DeviceMemoryBuffer text = batch.allocate(textOffsets.total());
        DeviceMemoryBuffer splits = batch.allocateInts(splitOffsets.total());
        chains.solve(textOffsets, text, splitOffsets, splits);
        return Result.struct(
                Result.longs(chains.costs()),
                Result.strings(textOffsets, text),
                Result.lists(splitOffsets, Result.ints(splits)));
    }
}
