package dev.bellman.chain.matrix;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;

/** {@code matrix_chain_order(dims)}. */
public final class MatrixChainOrderUdf extends ChainUdf<String> {
    private static final long serialVersionUID = 1L;

    final MatrixChain.Strategy strategy;

    public MatrixChainOrderUdf(MatrixChain.Strategy strategy, FunctionOptions options) {
        super("matrix_chain_order", options);
        this.strategy = strategy;
    }

    @Override
    String solve(long[] dims) {
        return MatrixChain.order(dims, strategy, TaskCores.count());
    }

    @Override
    MatrixChainOrderUdf with(FunctionOptions other) {
        return new MatrixChainOrderUdf(strategy, other);
    }

    /** Hu and Shing's algorithm may find a different order. */
    @Override
    public boolean hasKernel() {
        return strategy != MatrixChain.Strategy.HU_SHING;
    }
}
