package dev.bellman.align.subsequence;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.align.PairFunction;
import dev.bellman.align.bits.PairPaths;
import dev.bellman.align.subsequence.paper.SupersequenceTablesOnGpu;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;

/** {@code scs(a, b)} on the GPU. */
record ScsKernel(PairFunction<ShortestCommonSupersequence.Strategy> udf) implements ColumnarKernel {
    @Override
    public DataType type() {
        return new BasicType(true, DType.STRING);
    }

    @Override
    public Result evaluate(Batch batch) {
        return udf.strategy()
                .paper()
                .map(paper -> new SupersequenceTablesOnGpu(paper).supersequences(batch, udf))
                .orElseGet(() -> new PairPaths(
                                "align/subsequence/lcs_path",
                                "align/subsequence/lcs",
                                "lcs",
                                LcsKernel.SAVED_BYTES,
                                true)
                        .solve(batch, 1, udf));
    }
}
