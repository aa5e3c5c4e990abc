package dev.bellman.chain.matrix;

import dev.bellman.chain.matrix.paper.AdaptiveMapping;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/**
 * Computes the cost of a matrix chain on the GPU, either by Hu and Shing's algorithm, with one thread per chain, or by
 * filling a table.
 */
record MatrixChainCostKernel(SolverCall call) implements ColumnarKernel {
    @Override
    public Result evaluate(Batch batch) {
        int firstSharedPhase =
                (int) call.ifAbsent(AdaptiveMapping.FIRST_SHARED_PHASE).orElse(1);
        return Result.longs(ChainBatch.costs(batch, call, firstSharedPhase).costs());
    }
}
