package dev.bellman.chain.matrix;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;

/** The cost of a matrix chain on the GPU: Hu and Shing's algorithm with one thread per chain, or a table. */
final class MatrixChainCostKernel implements ColumnarKernel {
    private final ChainUdf<?> udf;
    private final MatrixChain.Strategy strategy;
    private final int firstSharedPhase;

    MatrixChainCostKernel(MatrixChainCostUdf udf) {
        this(udf, udf.strategy, udf.firstSharedPhase);
    }

    MatrixChainCostKernel(TriangulationCostUdf udf) {
        this(udf, udf.strategy, 1);
    }

    private MatrixChainCostKernel(ChainUdf<?> udf, MatrixChain.Strategy strategy, int firstSharedPhase) {
        this.udf = udf;
        this.strategy = strategy;
        this.firstSharedPhase = firstSharedPhase;
    }

    @Override
    public DataType type() {
        return new BasicType(true, DType.INT64);
    }

    @Override
    public Result evaluate(Batch batch) {
        return Result.longs(
                ChainBatch.costs(batch, udf, strategy, firstSharedPhase).costs());
    }
}
