package dev.bellman.chain.tree;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.TaskCores;

/** {@code optimal_bst_cost(p, q)}. */
public final class OptimalBstCostUdf extends CostsUdf {
    private static final long serialVersionUID = 1L;

    final OptimalBst.Strategy strategy;

    private OptimalBstCostUdf(boolean doubles, OptimalBst.Strategy strategy, FunctionOptions options) {
        super("optimal_bst_cost", "p", "q", doubles, options);
        this.strategy = strategy;
    }

    public static OptimalBstCostUdf ofLongs(OptimalBst.Strategy strategy, FunctionOptions options) {
        return new OptimalBstCostUdf(false, strategy, options);
    }

    public static OptimalBstCostUdf ofDoubles(OptimalBst.Strategy strategy, FunctionOptions options) {
        return new OptimalBstCostUdf(true, strategy, options);
    }

    @Override
    Object solve(long[] p, long[] q) {
        return OptimalBst.cost(p, q, strategy, TaskCores.count());
    }

    @Override
    Object solve(double[] p, double[] q) {
        return OptimalBst.cost(p, q, strategy, TaskCores.count());
    }

    @Override
    int leaves(int p, int q) {
        return q;
    }

    @Override
    OptimalBstCostUdf with(FunctionOptions other) {
        return new OptimalBstCostUdf(doubles, strategy, other);
    }
}
