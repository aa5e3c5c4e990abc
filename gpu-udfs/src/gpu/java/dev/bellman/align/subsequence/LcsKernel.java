package dev.bellman.align.subsequence;

import dev.bellman.align.bits.PairPaths;
import dev.bellman.align.bits.PairScores;
import dev.bellman.align.paper.RWayTablesOnGpu;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Runs {@code lcs(a, b)} on the GPU. */
record LcsKernel(SolverCall call) implements ColumnarKernel {
    static final int SAVED_BYTES = PairScores.LCS_SAVED_BYTES;

    @Override
    public Result evaluate(Batch batch) {
        if (call.strategy() == LongestCommonSubsequence.Strategy.R_WAY) {
            return new RWayTablesOnGpu("lcs").paths(batch, call, 1);
        }
        return new PairPaths("align/subsequence/lcs_path", "align/subsequence/lcs", "lcs", SAVED_BYTES, false)
                .solve(batch, 1, call);
    }
}
