package dev.bellman.chain.matrix;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.chain.matrix.paper.AdaptiveCost;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** The cost of a matrix chain on the GPU: Hu and Shing's algorithm with one thread per chain, or a table. */
final class MatrixChainCostKernel implements ColumnarKernel {
    private final SolverCall call;
    private final int firstSharedPhase;

    MatrixChainCostKernel(SolverCall call) {
        this(call, 1);
    }

    private MatrixChainCostKernel(SolverCall call, int firstSharedPhase) {
        this.call = call;
        this.firstSharedPhase = firstSharedPhase;
    }

    /** @param function a {@link SolverCall}, or an {@link AdaptiveCost} of the benchmark */
    static MatrixChainCostKernel of(ColumnarFunction function) {
        return function instanceof AdaptiveCost adaptive
                ? new MatrixChainCostKernel(adaptive.call(), adaptive.firstSharedPhase())
                : new MatrixChainCostKernel((SolverCall) function);
    }

    @Override
    public DataType type() {
        return new BasicType(true, DType.INT64);
    }

    @Override
    public Result evaluate(Batch batch) {
        return Result.longs(ChainBatch.costs(batch, call, firstSharedPhase).costs());
    }
}
