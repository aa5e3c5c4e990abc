package dev.bellman.align.subsequence;

import dev.bellman.align.bits.PairScores;
import dev.bellman.align.subsequence.paper.SupersequenceTablesOnGpu;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Runs {@code scs_length(a, b)} on the GPU. */
record ScsLengthKernel(SolverCall call) implements ColumnarKernel {
    @Override
    public Result evaluate(Batch batch) {
        return Result.ints(((ShortestCommonSupersequence.Strategy) call.strategy())
                .paper()
                .map(paper -> new SupersequenceTablesOnGpu(paper).lengths(batch, call))
                .orElseGet(() ->
                        new PairScores("align/subsequence/lcs", "lcs", LcsKernel.SAVED_BYTES, 1).solve(batch, call)));
    }
}
