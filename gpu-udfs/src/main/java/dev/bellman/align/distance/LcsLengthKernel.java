package dev.bellman.align.distance;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.align.distance.bits.PairScores;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;

/** {@code lcs_length(a, b)} on the GPU. */
record LcsLengthKernel(LcsLengthUdf udf) implements ColumnarKernel {
    @Override
    public DataType type() {
        return new BasicType(true, DType.INT32);
    }

    @Override
    public Result evaluate(Batch batch) {
        return Result.ints(new PairScores("align/distance/lcs", "lcs", LcsKernel.SAVED_BYTES, 0).solve(batch, udf));
    }
}
