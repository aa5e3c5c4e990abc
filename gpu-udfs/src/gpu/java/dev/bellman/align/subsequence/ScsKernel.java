package dev.bellman.align.subsequence;

import dev.bellman.align.bits.PairPaths;
import dev.bellman.align.subsequence.paper.SupersequenceTablesOnGpu;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Runs {@code scs(a, b)} on the GPU. */
record ScsKernel(SolverCall call) implements ColumnarKernel {
    @Override
    public Result evaluate(Batch batch) {
        return ((ShortestCommonSupersequence.Strategy) call.strategy())
                .paper()
                .map(paper -> new SupersequenceTablesOnGpu(paper).supersequences(batch, call))
                .orElseGet(() -> new PairPaths(
                                "align/subsequence/lcs_path",
                                "align/subsequence/lcs",
                                "lcs",
                                LcsKernel.SAVED_BYTES,
                                true)
                        .solve(batch, 1, call));
    }
}
