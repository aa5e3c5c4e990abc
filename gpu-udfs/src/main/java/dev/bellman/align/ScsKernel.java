package dev.bellman.align;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.CellCounter;
import dev.bellman.align.ShortestCommonSupersequence.Strategy;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;

/** {@code scs(a, b)} on the GPU. */
record ScsKernel(Strategy strategy, CellCounter cells) implements ColumnarKernel {
    @Override
    public DataType type() {
        return new BasicType(true, DType.STRING);
    }

    @Override
    public Result evaluate(Batch batch) {
        return switch (strategy) {
            case AUTO, BIT_PARALLEL ->
                new PairPaths("align/lcs_path", "align/lcs", "lcs", LcsKernel.SAVED_BYTES, true)
                        .solve(batch, 1, LcsKernel.MOST_BYTES_PER_BYTE, cells);
            default -> new ScsTables(strategy).supersequences(batch, cells);
        };
    }
}
