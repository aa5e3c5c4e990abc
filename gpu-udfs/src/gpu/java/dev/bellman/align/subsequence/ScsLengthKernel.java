package dev.bellman.align.subsequence;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.align.PairFunction;
import dev.bellman.align.bits.PairScores;
import dev.bellman.align.subsequence.paper.SupersequenceTablesOnGpu;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;

/** {@code scs_length(a, b)} on the GPU. */
record ScsLengthKernel(PairFunction<ShortestCommonSupersequence.Strategy> udf) implements ColumnarKernel {
    @Override
    public DataType type() {
        return new BasicType(true, DType.INT32);
    }

    @Override
    public Result evaluate(Batch batch) {
        return Result.ints(udf.strategy()
                .paper()
                .map(paper -> new SupersequenceTablesOnGpu(paper).lengths(batch, udf))
                .orElseGet(() ->
                        new PairScores("align/subsequence/lcs", "lcs", LcsKernel.SAVED_BYTES, 1).solve(batch, udf)));
    }
}
