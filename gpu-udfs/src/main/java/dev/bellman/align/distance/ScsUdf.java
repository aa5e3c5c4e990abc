package dev.bellman.align.distance;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.TaskCores;

/** {@code scs(a, b)}. */
public final class ScsUdf extends PairUdf<ShortestCommonSupersequence.Strategy, String> {
    private static final long serialVersionUID = 1L;

    public ScsUdf(ShortestCommonSupersequence.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected String solve(String a, String b) {
        return ShortestCommonSupersequence.supersequence(a, b, strategy, TaskCores.count());
    }

    @Override
    public ColumnarKernel kernel() {
        return new ScsKernel(strategy, options.cells());
    }

    @Override
    public boolean hasKernel() {
        return strategy != ShortestCommonSupersequence.Strategy.SERIAL;
    }
}
