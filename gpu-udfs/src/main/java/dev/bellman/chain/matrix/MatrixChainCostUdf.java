package dev.bellman.chain.matrix;

import dev.bellman.FunctionOptions;
import dev.bellman.chain.matrix.paper.AdaptiveMapping;
import dev.bellman.columns.TaskCores;

/** {@code matrix_chain_cost(dims)}. */
public final class MatrixChainCostUdf extends ChainUdf<Long> {
    private static final long serialVersionUID = 1L;

    final MatrixChain.Strategy strategy;
    final int firstSharedPhase;

    public MatrixChainCostUdf(MatrixChain.Strategy strategy, FunctionOptions options) {
        this(strategy, 1, options);
    }

    /** @param firstSharedPhase the phase from which on {@link AdaptiveMapping} splits threads */
    public MatrixChainCostUdf(MatrixChain.Strategy strategy, int firstSharedPhase, FunctionOptions options) {
        super("matrix_chain_cost", options);
        this.strategy = strategy;
        this.firstSharedPhase = firstSharedPhase;
    }

    @Override
    Long solve(long[] dims) {
        return MatrixChain.costSolver(function, dims, strategy, TaskCores.count())
                .cost();
    }

    @Override
    MatrixChainCostUdf with(FunctionOptions other) {
        return new MatrixChainCostUdf(strategy, firstSharedPhase, other);
    }
}
