package dev.bellman.align.subsequence;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.align.Text;
import dev.bellman.columns.TaskCores;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code scs(a, b)}. */
public final class ScsUdf extends PairUdf<ShortestCommonSupersequence.Strategy, UTF8String> {
    private static final long serialVersionUID = 1L;

    public ScsUdf(ShortestCommonSupersequence.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected UTF8String solve(Text a, Text b) {
        return UTF8String.fromBytes(ShortestCommonSupersequence.supersequence(a, b, strategy, TaskCores.count())
                .bytes());
    }

    @Override
    protected ScsUdf with(FunctionOptions other) {
        return new ScsUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy != ShortestCommonSupersequence.Strategy.SERIAL;
    }
}
