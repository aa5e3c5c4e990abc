package dev.bellman.align;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarKernel;

/** {@code scs_length(a, b)}. */
public final class ScsLengthUdf extends PairUdf<LongestCommonSubsequence.Strategy, Integer> {
    private static final long serialVersionUID = 1L;

    public ScsLengthUdf(LongestCommonSubsequence.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    Integer solve(String a, String b) {
        return ShortestCommonSupersequence.length(a, b, strategy);
    }

    @Override
    public ColumnarKernel kernel() {
        return new LcsLengthKernel(true, options.cells());
    }

    @Override
    public boolean hasKernel() {
        return strategy != LongestCommonSubsequence.Strategy.SERIAL;
    }
}
