package dev.bellman.align.distance;

import dev.bellman.FunctionOptions;
import dev.bellman.align.LimitedDistanceUdf;
import dev.bellman.align.Text;

/** {@code damerau_levenshtein(a, b)} and {@code damerau_levenshtein(a, b, max)}. */
public final class DamerauLevenshteinUdf extends LimitedDistanceUdf<DamerauLevenshtein.Strategy> {
    private static final long serialVersionUID = 1L;

    public DamerauLevenshteinUdf(DamerauLevenshtein.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected Integer solve(Text a, Text b) {
        return DamerauLevenshtein.distance(a, b, strategy);
    }

    @Override
    protected int solve(Text a, Text b, int max) {
        return DamerauLevenshtein.distance(a, b, max, strategy);
    }

    @Override
    protected DamerauLevenshteinUdf with(FunctionOptions other) {
        return new DamerauLevenshteinUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy != DamerauLevenshtein.Strategy.SERIAL;
    }
}
