package dev.bellman.align.distance;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.align.Text;

/** {@code edit_cigar(a, b)}. */
public final class EditCigarUdf extends PairUdf<EditDistance.Strategy, String> {
    private static final long serialVersionUID = 1L;

    public EditCigarUdf(EditDistance.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected String solve(Text a, Text b) {
        return EditDistance.cigar(a, b, strategy);
    }

    @Override
    protected EditCigarUdf with(FunctionOptions other) {
        return new EditCigarUdf(strategy, other);
    }

    @Override
    public boolean hasKernel() {
        return strategy != EditDistance.Strategy.SERIAL;
    }
}
