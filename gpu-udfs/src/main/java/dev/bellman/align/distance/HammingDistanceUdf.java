package dev.bellman.align.distance;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.align.Text;

/** {@code hamming_distance(a, b)}. */
public final class HammingDistanceUdf extends PairUdf<HammingDistance.Strategy, Integer> {
    private static final long serialVersionUID = 1L;

    public HammingDistanceUdf(HammingDistance.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected Integer solve(Text a, Text b) {
        return HammingDistance.distance(a, b, strategy);
    }

    /** One comparison per character. */
    @Override
    protected long cells(Text a, Text b) {
        return a.length();
    }

    @Override
    protected HammingDistanceUdf with(FunctionOptions other) {
        return new HammingDistanceUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy == HammingDistance.Strategy.AUTO;
    }
}
