package dev.bellman.align.subsequence;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.align.Text;

/** {@code lcs_length(a, b)}. */
public final class LcsLengthUdf extends PairUdf<LongestCommonSubsequence.Strategy, Integer> {
    private static final long serialVersionUID = 1L;

    public LcsLengthUdf(LongestCommonSubsequence.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected Integer solve(Text a, Text b) {
        return LongestCommonSubsequence.length(a, b, strategy);
    }

    @Override
    protected LcsLengthUdf with(FunctionOptions other) {
        return new LcsLengthUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy != LongestCommonSubsequence.Strategy.SERIAL;
    }
}
