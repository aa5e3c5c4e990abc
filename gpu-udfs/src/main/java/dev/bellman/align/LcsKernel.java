package dev.bellman.align;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.CellCounter;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;

/**
 * {@code lcs(a, b)} and {@code scs(a, b)} on the GPU.
 *
 * @param supersequence whether the shortest common supersequence is asked for
 */
record LcsKernel(boolean supersequence, CellCounter cells) implements ColumnarKernel {
    /** A malformed byte becomes U+FFFD, which takes three. */
    private static final int MOST_BYTES_PER_BYTE = 3;

    /** Rows that grow. */
    private static final int SAVED_BYTES = 4;

    @Override
    public DataType type() {
        return new BasicType(true, DType.STRING);
    }

    @Override
    public Result evaluate(Batch batch) {
        return new PairPaths("align/lcs_path", "align/lcs", "lcs", SAVED_BYTES, supersequence)
                .solve(batch, 1, MOST_BYTES_PER_BYTE, cells);
    }
}
