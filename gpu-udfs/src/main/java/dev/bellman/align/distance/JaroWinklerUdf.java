package dev.bellman.align.distance;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.align.Text;

/** {@code jaro_winkler_similarity(a, b)}. */
public final class JaroWinklerUdf extends PairUdf<JaroWinkler.Strategy, Double> {
    private static final long serialVersionUID = 1L;

    public JaroWinklerUdf(JaroWinkler.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected Double solve(Text a, Text b) {
        return JaroWinkler.similarity(a, b, strategy);
    }

    @Override
    protected JaroWinklerUdf with(FunctionOptions other) {
        return new JaroWinklerUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy == JaroWinkler.Strategy.AUTO;
    }
}
