package dev.bellman.align.subsequence;

import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.align.bits.PairScores;
import dev.bellman.align.subsequence.paper.SupersequenceTablesOnGpu;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;

/** Runs {@code scs_length(a, b)} on the GPU. */
record ScsLengthKernel(SolverCall call) implements ColumnarKernel {
    @Override
    public DataType type() {
        return Types.INT;
    }

    @Override
    public Result evaluate(Batch batch) {
        return Result.ints(((ShortestCommonSupersequence.Strategy) call.strategy())
                .paper()
                .map(paper -> new SupersequenceTablesOnGpu(paper).lengths(batch, call))
                .orElseGet(() ->
                        new PairScores("align/subsequence/lcs", "lcs", LcsKernel.SAVED_BYTES, 1).solve(batch, call)));
    }
}
