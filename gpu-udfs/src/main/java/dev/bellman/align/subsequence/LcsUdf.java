package dev.bellman.align.subsequence;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.align.Text;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code lcs(a, b)}. */
public final class LcsUdf extends PairUdf<LongestCommonSubsequence.Strategy, UTF8String> {
    private static final long serialVersionUID = 1L;

    public LcsUdf(LongestCommonSubsequence.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected UTF8String solve(Text a, Text b) {
        return UTF8String.fromBytes(
                LongestCommonSubsequence.subsequence(a, b, strategy).bytes());
    }

    @Override
    protected LcsUdf with(FunctionOptions other) {
        return new LcsUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy != LongestCommonSubsequence.Strategy.SERIAL;
    }
}
