package dev.bellman.align.distance;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.columns.ColumnarKernel;

/** {@code lcs(a, b)}. */
public final class LcsUdf extends PairUdf<LongestCommonSubsequence.Strategy, String> {
    private static final long serialVersionUID = 1L;

    public LcsUdf(LongestCommonSubsequence.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected String solve(String a, String b) {
        return LongestCommonSubsequence.subsequence(a, b, strategy);
    }

    @Override
    public ColumnarKernel kernel() {
        return new LcsKernel(options.cells());
    }

    @Override
    public boolean hasKernel() {
        return strategy != LongestCommonSubsequence.Strategy.SERIAL;
    }
}
