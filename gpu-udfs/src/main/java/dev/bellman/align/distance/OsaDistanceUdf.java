package dev.bellman.align.distance;

import dev.bellman.FunctionOptions;
import dev.bellman.align.LimitedDistanceUdf;
import dev.bellman.align.Text;

/** {@code osa_distance(a, b)} and {@code osa_distance(a, b, max)}. */
public final class OsaDistanceUdf extends LimitedDistanceUdf<OsaDistance.Strategy> {
    private static final long serialVersionUID = 1L;

    public OsaDistanceUdf(OsaDistance.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected Integer solve(Text a, Text b) {
        return OsaDistance.distance(a, b, strategy);
    }

    @Override
    protected int solve(Text a, Text b, int max) {
        return OsaDistance.distance(a, b, max, strategy);
    }

    @Override
    protected OsaDistanceUdf with(FunctionOptions other) {
        return new OsaDistanceUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy != OsaDistance.Strategy.SERIAL;
    }
}
