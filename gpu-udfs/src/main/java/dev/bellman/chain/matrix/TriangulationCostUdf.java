package dev.bellman.chain.matrix;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;

/** {@code triangulation_cost(weights)}. */
public final class TriangulationCostUdf extends ChainUdf<Long> {
    private static final long serialVersionUID = 1L;

    final MatrixChain.Strategy strategy;

    public TriangulationCostUdf(MatrixChain.Strategy strategy, FunctionOptions options) {
        super("triangulation_cost", options);
        this.strategy = strategy;
    }

    @Override
    Long solve(long[] weights) {
        return MatrixChain.costSolver(function, weights, strategy, TaskCores.count())
                .cost();
    }

    @Override
    TriangulationCostUdf with(FunctionOptions other) {
        return new TriangulationCostUdf(strategy, other);
    }
}
