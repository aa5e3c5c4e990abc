package dev.bellman.align.subsequence;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.align.Text;
import dev.bellman.columns.TaskCores;

/** {@code scs_length(a, b)}. */
public final class ScsLengthUdf extends PairUdf<ShortestCommonSupersequence.Strategy, Integer> {
    private static final long serialVersionUID = 1L;

    public ScsLengthUdf(ShortestCommonSupersequence.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected Integer solve(Text a, Text b) {
        return ShortestCommonSupersequence.length(a, b, strategy, TaskCores.count());
    }

    @Override
    protected ScsLengthUdf with(FunctionOptions other) {
        return new ScsLengthUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy != ShortestCommonSupersequence.Strategy.SERIAL;
    }
}
