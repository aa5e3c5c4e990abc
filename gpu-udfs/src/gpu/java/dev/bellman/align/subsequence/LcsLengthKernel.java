package dev.bellman.align.subsequence;

import dev.bellman.align.bits.PairScores;
import dev.bellman.align.paper.RWayTablesOnGpu;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Runs {@code lcs_length(a, b)} on the GPU. */
record LcsLengthKernel(SolverCall call) implements ColumnarKernel {
    @Override
    public Result evaluate(Batch batch) {
        return Result.ints(
                call.strategy() == LongestCommonSubsequence.Strategy.R_WAY
                        ? new RWayTablesOnGpu("lcs").scores(batch, call, 0)
                        : PairScores.lcs().solve(batch, call));
    }
}
