package dev.bellman.chain;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarKernel;

/** {@code matrix_chain_cost(dims)}. */
public final class MatrixChainCostUdf extends ChainUdf<Long> {
    private static final long serialVersionUID = 1L;

    private final MatrixChain.Strategy strategy;

    public MatrixChainCostUdf(MatrixChain.Strategy strategy, FunctionOptions options) {
        super("matrix_chain_cost", options);
        this.strategy = strategy;
    }

    @Override
    Long solve(long[] dims) {
        return MatrixChain.cost(dims, strategy);
    }

    @Override
    public ColumnarKernel kernel() {
        return new MatrixChainCostKernel(function, options, strategy);
    }
}
